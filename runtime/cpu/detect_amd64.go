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
}

// supported asks processor and operating system: cpuid reports the AVX family
// only when the system saves its registers.
func supported(feature string) bool { return cpuid.CPU.Supports(features[feature]) }
