package randloop

import "strings"

// enclosed is a body as it is, or in a function literal, or under a deferred one that stops panics: then results tell what had
// been done.
func (d *idiom) enclosed(body string) string {
	if !strings.Contains(body, "return") && d.chance(0.08) {
		body = pick(d.generator, "\tfunc() {\n"+body+"\t}()\n", "\trun := func() {\n"+body+"\t}\n\trun()\n", "\tdefer func() {\n"+body+"\t}()\n",
			"\tdo := func(run func()) { run() }\n\tdo(func() {\n"+body+"\t})\n")
	}
	if d.chance(0.06) {
		body = "\tdefer func() { recover() }()\n" + body
	}
	return body
}
