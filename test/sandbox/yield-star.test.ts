import { expect, test } from 'vitest'
import { returned } from './support/run-code.js'

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>

// To an asynchronous generator, what it hands on to has ended when that says so, and not before.
test.each([
  "async function*i(){try{yield 1;yield 2}finally{await null;await null;log.push('i closed');}} async function*g(){try{yield* i()}finally{log.push('g')}} for await (const x of g()) break; log.push('after');",
  "async function*i(){try{yield 1}finally{await null;yield 9;log.push('i closed');}} async function*g(){try{yield* i()}finally{log.push('g')}} const x=g(); await x.next(); log.push(await x.return(5)); log.push(await x.next());",
  "async function*i(){try{yield 1}catch(e){await null;log.push('c '+e); yield 3}finally{await null;log.push('f')}} async function*g(){const r=yield* i();log.push('r '+r);return 7} const x=g(); await x.next(); log.push(await x.throw(5)); log.push(await x.next());",
  'const s=[1,2]; async function*g(){yield* s} const x=g(); await x.next(); log.push(await x.return(Promise.resolve(4)));',
  "const it={[Symbol.asyncIterator](){return{next:async()=>({value:1,done:false}),return(v){log.push('asked');return 5}}}}; async function*g(){try{yield* it}finally{log.push('finally')}} const x=g(); await x.next(); try { log.push(await x.return(1)) } catch (e) { log.push(e.name) }",
  "const it={[Symbol.asyncIterator](){return{next:async()=>({value:1,done:false}),async return(v){log.push('asked');throw new Error('e')}}}}; async function*g(){try{yield* it}finally{log.push('finally')}} const x=g(); await x.next(); try { log.push(await x.return(1)) } catch (e) { log.push(e.name) }",
  "const it={[Symbol.asyncIterator](){return{next:async()=>({value:1,done:false}),async return(v){log.push('asked');return {value:Promise.resolve(3),done:false}}}}}; async function*g(){try{yield* it}finally{log.push('finally')}} const x=g(); await x.next(); const r = await x.return(1); log.push(r.value instanceof Promise, r.done);",
  "const it={[Symbol.asyncIterator](){return{next:async()=>({value:1,done:false}),async throw(v){log.push('asked');return {value:Promise.resolve(3),done:true}}}}}; async function*g(){const r = yield* it; log.push(r instanceof Promise); return r} const x=g(); await x.next(); log.push(await x.throw(1));",
  "async function*i(){try{yield 1;yield 2}finally{await null;await null;log.push('i closed');}} async function*g(){try{yield* i()}finally{log.push('g')}} const x=g(); await x.next(); const a=x.return(1), b=x.next(), c=x.return(2); log.push(await a, await b, await c);",
  "const it={[Symbol.iterator](){return{next:()=>({value:1,done:false}),return(v){log.push('asked');return {value:Promise.resolve(3).finally(()=>log.push('waited')),done:true}}}}}; async function*g(){try{yield* it}finally{log.push('finally')}} const x=g(); await x.next(); log.push(await x.return(1));",
  "const it={[Symbol.asyncIterator](){return{next:async()=>({value:1,done:false}),return(v){log.push('asked');return Promise.resolve().then(()=>{log.push('closed');return{}})}}}}; async function*g(){try{yield* it}finally{log.push('finally')}} const x=g(); await x.next(); try { log.push(await x.throw(new Error('t'))) } catch (e) { log.push(e.name) }",
])('what is asked of a generator that hands on is asked, and awaited, as elsewhere: %s', async program => {
  const whole = `const log = []; ${program}\nreturn JSON.stringify(log)`
  const onHost = await new AsyncFunction(`"use strict"; ${whole}`)()
  expect(onHost).toMatch(/^\[.+\]$/)
  expect(await returned(whole)).toBe(onHost)
})
