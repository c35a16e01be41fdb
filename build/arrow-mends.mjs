// What is written otherwise in sucrase's parser about arrow functions, as in type-mends.mjs.
const TYPES = 'plugins/typescript.js'
const EXPRESSIONS = 'traverser/expression.js'

const change = (file, was, now) => ({ file, was, now })

/**
 * `a ? (b) : c => d`: what stands between `?` and `:` is an arrow function with a type only if a `:` follows it. Where that
 * must be asked is handed down to what may be one, at the place where it may begin.
 */
const INSIDE_CONDITIONS = [
  change(
    EXPRESSIONS,
    'export function parseMaybeAssign(noIn = false, isWithinParens = false) {\n  if (isTypeScriptEnabled) {\n    return tsParseMaybeAssign(noIn, isWithinParens);',
    'export let askedAt = -1;\nexport function parseMaybeAssign(noIn = false, items = undefined, isAsked = false) {\n  if (isTypeScriptEnabled) {\n    return tsParseMaybeAssign(noIn, items, isAsked);',
  ),
  change(
    TYPES,
    'export function tsParseMaybeAssign(noIn, isWithinParens) {',
    'export function tsParseMaybeAssign(noIn, isWithinParens, isAsked) {',
  ),
  change(
    TYPES,
    '    return tsParseMaybeAssignWithoutJSX(noIn, isWithinParens);',
    '    return tsParseMaybeAssignWithoutJSX(noIn, isWithinParens, isAsked);',
  ),
  change(
    TYPES,
    'export function tsParseMaybeAssignWithoutJSX(noIn, isWithinParens) {\n  if (!match(tt.lessThan)) {\n    return baseParseMaybeAssign(noIn, isWithinParens);',
    'export function tsParseMaybeAssignWithoutJSX(noIn, isWithinParens, isAsked) {\n  if (!match(tt.lessThan)) {\n    return baseParseMaybeAssign(noIn, isWithinParens, isAsked);',
  ),
  change(
    TYPES,
    '  tsParseTypeParameters();\n  const wasArrow = baseParseMaybeAssign(noIn, isWithinParens);',
    '  tsParseTypeParameters();\n  const wasArrow = baseParseMaybeAssign(noIn, isWithinParens, isAsked);',
  ),
  change(
    TYPES,
    "  // But don't directly call `tsParseTypeAssertion` because we want to handle any binary after it.\n  return baseParseMaybeAssign(noIn, isWithinParens);",
    '  return baseParseMaybeAssign(noIn, isWithinParens, isAsked);',
  ),
  change(
    EXPRESSIONS,
    'export function baseParseMaybeAssign(noIn, isWithinParens) {',
    'export function baseParseMaybeAssign(noIn, items, isAsked) {',
  ),
  change(
    EXPRESSIONS,
    '    state.potentialArrowAt = state.start;\n  }\n\n  const wasArrow = parseMaybeConditional(noIn);\n  if (isWithinParens) {\n    parseParenItem();\n  }',
    '    state.potentialArrowAt = state.start;\n    askedAt = isAsked ? state.start : -1;\n  }\n\n  const wasArrow = parseMaybeConditional(noIn, isAsked);\n  if (items) {\n    parseParenItem(items);\n  }',
  ),
  change(
    EXPRESSIONS,
    '    next();\n    parseMaybeAssign(noIn);\n    return false;',
    '    next();\n    parseMaybeAssign(noIn, undefined, isAsked);\n    return false;',
  ),
  change(
    EXPRESSIONS,
    'function parseMaybeConditional(noIn) {',
    'function parseMaybeConditional(noIn, isAsked) {',
  ),
  change(
    EXPRESSIONS,
    '  parseConditional(noIn);\n  return false;',
    '  parseConditional(noIn, isAsked);\n  return false;',
  ),
  change(EXPRESSIONS, 'function parseConditional(noIn) {', 'function parseConditional(noIn, isAsked) {'),
  change(EXPRESSIONS, '    typedParseConditional(noIn);', '    typedParseConditional(noIn, isAsked);'),
  change(
    'plugins/types.js',
    'export function typedParseConditional(noIn) {',
    'export function typedParseConditional(noIn, isAsked) {',
  ),
  change('plugins/types.js', '  baseParseConditional(noIn);', '  baseParseConditional(noIn, isAsked);'),
  change(
    EXPRESSIONS,
    'export function baseParseConditional(noIn) {',
    'export function baseParseConditional(noIn, isAsked) {',
  ),
  change(
    EXPRESSIONS,
    '    parseMaybeAssign();\n    expect(tt.colon);\n    parseMaybeAssign(noIn);',
    '    parseMaybeAssign(false, undefined, true);\n    expect(tt.colon);\n    parseMaybeAssign(noIn, undefined, isAsked);',
  ),
  change(
    EXPRESSIONS,
    '  const canBeArrow = state.potentialArrowAt === state.start;',
    '  const canBeArrow = state.potentialArrowAt === state.start;\n  const isAsked = askedAt === state.start;',
  ),
  change(
    EXPRESSIONS,
    '        // let foo = async bar => {};\n        parseArrowExpression(startTokenIndex);',
    '        parseArrowExpression(startTokenIndex, isAsked);',
  ),
  change(
    EXPRESSIONS,
    '        markPriorBindingIdentifier(false);\n        expect(tt.arrow);\n        parseArrowExpression(startTokenIndex);',
    '        markPriorBindingIdentifier(false);\n        expect(tt.arrow);\n        parseArrowExpression(startTokenIndex, isAsked);',
  ),
  change(
    EXPRESSIONS,
    'parseParenAndDistinguishExpression(canBeArrow);\n      return',
    'parseParenAndDistinguishExpression(canBeArrow, isAsked);\n      return',
  ),
  change(
    EXPRESSIONS,
    'function parseParenAndDistinguishExpression(canBeArrow) {',
    'function parseParenAndDistinguishExpression(canBeArrow, isAsked) {',
  ),
  change(
    EXPRESSIONS,
    '  if (canBeArrow && shouldParseArrow()) {\n    const wasArrow',
    '  const hasType = match(tt.colon);\n  if (canBeArrow && shouldParseArrow()) {\n    const wasArrow',
  ),
  change(
    EXPRESSIONS,
    '      parseArrow();\n      parseArrowExpression(startTokenIndex);\n      if (state.error) {',
    '      parseArrow();\n      parseArrowExpression(startTokenIndex, isAsked);\n      if (state.error || (isAsked && hasType && !match(tt.colon))) {',
  ),
  change(
    EXPRESSIONS,
    'export function parseArrowExpression(startTokenIndex) {\n  parseFunctionBody(true);',
    'export function parseArrowExpression(startTokenIndex, isAsked) {\n  parseFunctionBody(true, 0, isAsked);',
  ),
  change(
    EXPRESSIONS,
    'export function parseFunctionBody(allowExpression, funcContextId = 0) {',
    'export function parseFunctionBody(allowExpression, funcContextId = 0, isAsked = false) {',
  ),
  change(
    EXPRESSIONS,
    '    parseMaybeAssign();\n  } else {\n    parseBlock(true',
    '    parseMaybeAssign(false, undefined, isAsked);\n  } else {\n    parseBlock(true',
  ),
]

/** `a ? async (b) : c`, and what follows an asynchronous arrow function: it is the end of an expression. */
const ASYNC = [
  change(
    EXPRESSIONS,
    '      const asyncStartTokenIndex = state.tokens.length;\n      next();',
    '      const asyncStartTokenIndex = state.tokens.length;\n      const isAsked = askedAt === state.tokens[startTokenIndex].start;\n      const items = {typedAt: -1};\n      next();',
  ),
  change(
    EXPRESSIONS,
    '      parseCallExpressionArguments();\n      state.tokens[state.tokens.length - 1].contextId = callContextId;\n\n      if (shouldParseAsyncArrow()) {',
    '      parseCallExpressionArguments(items);\n      state.tokens[state.tokens.length - 1].contextId = callContextId;\n      const hasType = match(tt.colon);\n\n      if (shouldParseAsyncArrow()) {',
  ),
  change(
    EXPRESSIONS,
    '        parseAsyncArrowFromCallExpression(asyncStartTokenIndex);\n      }',
    `        parseAsyncArrowFromCallExpression(asyncStartTokenIndex, isAsked);
        stopState.wasArrow = true;
        if (hasType && (state.error || (isAsked && !match(tt.colon)))) {
          state.restoreFromSnapshot(snapshot);
          stopState.stop = false;
          stopState.wasArrow = false;
          next();
          state.tokens[state.tokens.length - 1].contextId = callContextId;
          parseCallExpressionArguments();
          state.tokens[state.tokens.length - 1].contextId = callContextId;
        }
      } else if (items.typedAt >= 0) {
        unexpected(undefined, items.typedAt);
      }`,
  ),
  change(
    EXPRESSIONS,
    'function parseAsyncArrowFromCallExpression(startTokenIndex) {',
    'function parseAsyncArrowFromCallExpression(startTokenIndex, isAsked) {',
  ),
  change(
    EXPRESSIONS,
    '  expect(tt.arrow);\n  parseArrowExpression(startTokenIndex);\n}',
    '  expect(tt.arrow);\n  parseArrowExpression(startTokenIndex, isAsked);\n}',
  ),
  change(
    EXPRESSIONS,
    '  } while (!stopState.stop && !state.error);',
    '  } while (!stopState.stop && !state.error);\n  return stopState.wasArrow === true;',
  ),
  change(
    EXPRESSIONS,
    '    baseParseSubscripts(startTokenIndex, noCalls);\n  }\n}',
    '    return baseParseSubscripts(startTokenIndex, noCalls);\n  }\n}',
  ),
  change(
    EXPRESSIONS,
    '  parseSubscripts(startTokenIndex);\n  // If',
    '  if (parseSubscripts(startTokenIndex)) return true;\n  // If',
  ),
  change(TYPES, '  baseParseMaybeAssign,\n', '  askedAt,\n  baseParseMaybeAssign,\n'),
  change(
    TYPES,
    '      const asyncArrowFn = tsTryParseGenericAsyncArrowFunction();\n      if (asyncArrowFn) {\n        return;',
    '      const isAsked = askedAt === state.tokens[startTokenIndex].start;\n      const asyncArrowFn = tsTryParseGenericAsyncArrowFunction(isAsked);\n      if (asyncArrowFn) {\n        stopState.stop = true;\n        stopState.wasArrow = true;\n        return;',
  ),
  // Its parameters have a scope, as those of all functions have.
  change(TYPES, '  parseFunctionBody,\n', '  parseArrowExpression,\n  parseFunctionBody,\n'),
  change(
    TYPES,
    'function tsTryParseGenericAsyncArrowFunction() {',
    'function tsTryParseGenericAsyncArrowFunction(isAsked) {',
  ),
  change(
    TYPES,
    '  parseFunctionParams();\n  tsTryParseTypeOrTypePredicateAnnotation();',
    '  state.scopeDepth++;\n  const startTokenIndex = state.tokens.length;\n  parseFunctionParams();\n  const hasType = match(tt.colon);\n  tsTryParseTypeOrTypePredicateAnnotation();',
  ),
  change(
    TYPES,
    '  parseFunctionBody(true);\n  return true;',
    '  parseArrowExpression(startTokenIndex, isAsked);\n  if (isAsked && hasType && !match(tt.colon)) {\n    state.restoreFromSnapshot(snapshot);\n    return false;\n  }\n  return true;',
  ),
  // `{ async<T>() {} }`
  change(
    EXPRESSIONS,
    '        match(tt.colon) ||\n        match(tt.parenL) ||\n        match(tt.braceR) ||',
    '        match(tt.colon) ||\n        match(tt.parenL) ||\n        match(tt.lessThan) ||\n        match(tt.braceR) ||',
  ),
]

/** `f(name: value)`: types stand in parentheses only where an arrow follows them. */
const ITEMS = [
  change(
    'plugins/types.js',
    'export function typedParseParenItem() {',
    'export function typedParseParenItem(items) {\n  if (items.typedAt < 0 && (match(tt.question) || match(tt.colon))) items.typedAt = state.start;',
  ),
  change(
    'plugins/types.js',
    'import {isFlowEnabled, isTypeScriptEnabled} from "../traverser/base";',
    'import {isFlowEnabled, isTypeScriptEnabled, state} from "../traverser/base";',
  ),
  change(EXPRESSIONS, 'function parseParenItem() {', 'function parseParenItem(items) {'),
  change(EXPRESSIONS, '    typedParseParenItem();', '    typedParseParenItem(items);'),
  change(
    EXPRESSIONS,
    '      parseRest(false /* isBlockScope */);\n      parseParenItem();',
    '      parseRest(false /* isBlockScope */);\n      parseParenItem(items);',
  ),
  change(EXPRESSIONS, '      parseMaybeAssign(false, true);', '      parseMaybeAssign(false, items);'),
  change(
    EXPRESSIONS,
    '  expect(tt.parenL);\n\n  let first = true;',
    '  expect(tt.parenL);\n  const items = {typedAt: -1};\n\n  let first = true;',
  ),
  change(
    EXPRESSIONS,
    '      return true;\n    }\n  }\n\n  return false;\n}\n\nfunction shouldParseArrow',
    '      return true;\n    }\n  }\n\n  if (items.typedAt >= 0) unexpected(undefined, items.typedAt);\n  return false;\n}\n\nfunction shouldParseArrow',
  ),
  change(
    EXPRESSIONS,
    'export function parseCallExpressionArguments() {',
    'export function parseCallExpressionArguments(items) {',
  ),
  change(EXPRESSIONS, '    parseExprListItem(false);', '    parseExprListItem(false, items);'),
  change(
    EXPRESSIONS,
    'function parseExprListItem(allowEmpty) {',
    'function parseExprListItem(allowEmpty, items) {',
  ),
  change(
    EXPRESSIONS,
    '    parseSpread();\n    parseParenItem();',
    '    parseSpread();\n    if (items) parseParenItem(items);',
  ),
  change(EXPRESSIONS, '    parseMaybeAssign(false, true);', '    parseMaybeAssign(false, items);'),
]

export const ARROW_MENDS = [...INSIDE_CONDITIONS, ...ASYNC, ...ITEMS]
