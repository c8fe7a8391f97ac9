package cpu

import "github.com/klauspost/cpuid/v2"

var features = map[string]cpuid.FeatureID{
	"avx":    cpuid.AVX,
	"avx2":   cpuid.AVX2,
	"fma":    cpuid.FMA3,
	"bmi1":   cpuid.BMI1,
	"bmi2":   cpuid.BMI2,
	"popcnt": cpuid.POPCNT,
	"lzcnt":  cpuid.LZCNT,

	"avx512f":  cpuid.AVX512F,
	"avx512bw": cpuid.AVX512BW,
	"avx512cd": cpuid.AVX512CD,
	"avx512dq": cpuid.AVX512DQ,
	"avx512vl": cpuid.AVX512VL,
}

// splits512 reports whether the processor is of AMD's family 19h (Zen 3, Zen 4), which takes 64
// bytes as two times 32 (Software Optimization Guide for the AMD Zen4 Microarchitecture).
func splits512() bool { return cpuid.CPU.VendorID == cpuid.AMD && cpuid.CPU.Family == 0x19 }

// supported asks processor and operating system: cpuid reports the AVX family
// only when the system saves its registers.
func supported(feature string) bool { return cpuid.CPU.Supports(features[feature]) }
