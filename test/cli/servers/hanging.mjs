// A server that is never ready and does not end with its input.
process.stderr.write(`hanging as ${process.pid}\n`)
setInterval(() => {}, 60_000)
