import type { Edit } from './edited-text.js'
import { KIND, WORD } from './parse-source.js'
import type { SourceScope, SourceToken } from './source-token.js'
import { unusedName } from './unused-name.js'

// The engine asks an iterator that is left early to end, and does not wait until it has: what a generator does last came too
// late or never, and its failures were lost. And it asks one that has ended by itself. So such loops run over an iterator of
// ours: who has ended is not asked, and what the others answer is awaited, of lists that do not wait too. Only arrays run as
// they are: nothing is to be ended there.

/** What goes with a program that has such loops: the name of what makes one, and the expression that is. */
export interface LoopMaker {
  readonly name: string
  readonly text: string
}

/** Edits, those of them that stand behind all else at their place, and what they need. */
export interface LoopEdits {
  readonly edits: readonly Edit[]
  readonly last: readonly Edit[]
  readonly maker: LoopMaker
}

/** Of the language it uses what a program cannot change any more. */
const MAKER = `(()=>{
const{apply}=Reflect,{asyncIterator,iterator:syncIterator}=Symbol,Fault=TypeError,Promised=Promise,{then}=Promise.prototype
const{isArray}=Array,ofArray=Array.prototype[syncIterator]
const isObject=value=>typeof value==="function"||typeof value==="object"&&value!==null
const check=value=>{if(!isObject(value))throw new Fault("iterator result is not an object")}
return()=>{const loop={__proto__:null,closes:false,failed:false,answer:undefined,check,
over(list){
if(list===undefined||list===null)return list
let begin=list[asyncIterator]
if(begin!==undefined&&begin!==null){
return typeof begin!=="function"?list:{__proto__:null,[asyncIterator](){
const iterator=apply(begin,list,[])
if(!isObject(iterator))return iterator
const{next}=iterator
let hasEnded=false
const see=step=>{try{hasEnded=isObject(step)&&!!step.done}catch{}}
return{__proto__:null,next(){
const step=apply(next,iterator,[])
if(step instanceof Promised)apply(then,step,[see,()=>{}])
else see(step)
return step
},return(){
if(hasEnded)return{}
const end=iterator.return
if(end!==undefined&&end!==null){loop.answer=apply(end,iterator,[]);loop.closes=true}
return{}
}}}}}
begin=list[syncIterator]
return typeof begin!=="function"||begin===ofArray&&isArray(list)?list:{__proto__:null,[syncIterator](){
const iterator=apply(begin,list,[])
if(!isObject(iterator))return iterator
const{next}=iterator
let hasEnded=false
return{__proto__:null,next(){
const step=apply(next,iterator,[])
if(!isObject(step))return step
hasEnded=!!step.done
return{__proto__:null,done:hasEnded,value:step.value}
},return(){
if(hasEnded)return{}
const answer=(async()=>{
const end=iterator.return
if(end===undefined||end===null)return{}
const step=apply(end,iterator,[])
check(step)
const{done,value}=step
await value
return step
})()
apply(then,answer,[undefined,()=>{}])
loop.answer=answer
loop.closes=true
return{}
}}}}}}
return loop}
})()`

/** Where statements that such loops are begin and end, by the index of the loop's first token; labels belong to them. */
function statements(
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): Map<number, { readonly start: number; readonly end: number }> {
  const labels = new Set<number>()
  const found = new Map<number, { start: number; end: number }>()
  for (const { startTokenIndex: start, endTokenIndex: end, isFunctionScope } of scopes) {
    if (isFunctionScope) continue
    if (tokens[start]?.type === KIND._for && tokens[start + 1]?.contextualKeyword === WORD._await)
      found.set(start, { start, end })
    else if (tokens[start]?.type === KIND.name && tokens[start + 1]?.type === KIND.colon) labels.add(start)
  }
  for (const statement of found.values()) while (labels.has(statement.start - 2)) statement.start -= 2
  return found
}

/** Edits after which each `for await` waits for the end of what it leaves. */
export function awaitLoopEdits(
  text: string,
  tokens: readonly SourceToken[],
  scopes: readonly SourceScope[],
): LoopEdits | undefined {
  const found = statements(tokens, scopes)
  if (found.size === 0) return undefined
  const name = unusedName(text, '$loop')
  const loop = `${name}$`
  const [caught, fault] = [`${name}e`, `${name}f`]
  const edits: Edit[] = []
  const last: Edit[] = []
  const insert = (list: Edit[], at: number, words: string): void => {
    list.push({ start: at, end: at, text: words })
  }
  // From the end, so that of two that end together the inner one does first.
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { contextualKeyword, contextId, rhsEndIndex, isType } = tokens[i] as SourceToken
    if (contextualKeyword !== WORD._of || rhsEndIndex === null || isType) continue
    const statement = found.get(contextId as number)
    if (statement === undefined) continue
    insert(edits, (tokens[statement.start] as SourceToken).start, `{const ${loop}=${name}();try{`)
    insert(edits, (tokens[i + 1] as SourceToken).start, ` ${loop}.over((`)
    insert(last, (tokens[rhsEndIndex - 1] as SourceToken).end, '))')
    insert(
      last,
      (tokens[statement.end - 1] as SourceToken).end,
      `}catch(${caught}){${loop}.failed=true;throw ${caught}}finally{if(${loop}.closes)` +
        `try{${loop}.check(await ${loop}.answer)}catch(${fault}){if(!${loop}.failed)throw ${fault}}}}`,
    )
  }
  return { edits, last, maker: { name, text: MAKER } }
}
