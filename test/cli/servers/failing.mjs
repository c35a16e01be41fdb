// A server that gives up before it is ready.
process.stderr.write('the licence has expired\n')
process.exit(3)
