// One section in a process of its own: `node runner.mjs <section>`; the report goes to the parent.
const { default: section } = await import(`./sections/${process.argv[2]}.mjs`)
const report = await section()
process.send(report, () => process.exit(0))
