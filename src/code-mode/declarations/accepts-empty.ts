import { countOf, isNode, keysOf, listOf, own, type SchemaNode, stringsOf } from './read-schema.js'
import { follow, REFERENCES } from './same-value.js'
import type { SchemaDocument } from './schema-document.js'
import { typeNames } from './schema-kinds.js'

// `undefined`: not known. What is not known is as strict as what is not so.
type Answer = boolean | undefined

// Deeper schemas are not looked into.
const MAX_DEPTH = 200

/** True when `{}` satisfies the schema: such a tool may be called without arguments. */
export function acceptsEmpty(document: SchemaDocument): boolean {
  // Each schema is judged once, however many references lead to it.
  return accepts({ document, answers: new Map() }, document.root, 0) === true
}

interface Judge {
  readonly document: SchemaDocument
  readonly answers: Map<unknown, Answer>
}

function accepts(judge: Judge, schema: unknown, depth: number): Answer {
  if (typeof schema === 'boolean') return schema
  if (!isNode(schema) || depth > MAX_DEPTH) return undefined
  const { document, answers } = judge
  if (answers.has(schema)) return answers.get(schema)
  answers.set(schema, undefined)
  const node = document.read(schema)
  const answer = ownAnswer(node) && all(partAnswers(judge, schema, node, depth + 1))
  answers.set(schema, answer)
  return answer
}

function* partAnswers(judge: Judge, schema: SchemaNode, node: SchemaNode, depth: number): Generator<Answer> {
  const ask = (part: unknown): Answer => accepts(judge, part, depth)
  for (const keyword of REFERENCES) {
    const target = follow(judge.document, schema, keyword)
    if (target !== undefined) yield ask(target)
  }
  for (const part of listOf(own(node, 'allOf')) ?? []) yield ask(part)
  yield any((listOf(own(node, 'anyOf')) ?? []).map(ask))
  yield one((listOf(own(node, 'oneOf')) ?? []).map(ask))
  if (own(node, 'not') !== undefined) yield not(ask(own(node, 'not')))
  if (own(node, 'if') === undefined) return
  const condition = ask(own(node, 'if'))
  if (condition === undefined) yield undefined
  const consequence = own(node, condition ? 'then' : 'else')
  if (consequence !== undefined) yield ask(consequence)
}

function ownAnswer(node: SchemaNode): boolean {
  const names = typeNames(node)
  if (names && !names.includes('object')) return false
  if (stringsOf(own(node, 'required')).length > 0 || (countOf(node, 'minProperties') ?? 0) > 0) return false
  const constant = own(node, 'const')
  const values = constant === undefined ? listOf(own(node, 'enum')) : [constant]
  return !values || values.some(value => isNode(value) && keysOf(value).length === 0)
}

function all(answers: Iterable<Answer>): Answer {
  let result: Answer = true
  for (const answer of answers) {
    if (answer === false) return false
    result &&= answer
  }
  return result
}

function any(answers: readonly Answer[]): Answer {
  if (answers.length === 0 || answers.includes(true)) return true
  return answers.includes(undefined) ? undefined : false
}

function one(answers: readonly Answer[]): Answer {
  if (answers.length === 0) return true
  const yes = answers.filter(answer => answer === true).length
  if (yes > 1) return false
  return answers.includes(undefined) ? undefined : yes === 1
}

function not(answer: Answer): Answer {
  return answer === undefined ? undefined : !answer
}
