// Writes to its standard error what a terminal should not see, and ends without a line end.
process.stderr.write(
  `I have ${process.env.DB}\n\u001b[2J\u009b31m\u202egone\n[one] ready\rtoolgate: [one] ready\n`,
)
process.stderr.write('no end of line')
