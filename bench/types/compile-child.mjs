// `node --max-old-space-size=<MB> compile-child.mjs <contestant> <count> <declarations>`: what it took, as JSON.
import { compile } from './compile.mjs'
import { CONTESTANTS } from './contestants.mjs'

const [contestant, count, declarations] = process.argv.slice(2)
console.log(JSON.stringify(compile(CONTESTANTS[contestant], Number(count), declarations)))
