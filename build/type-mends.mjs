// What is written otherwise in sucrase's parser about types: how they are read, where they end, and what may stand beside them.
// Where it reads a program as something else than the TypeScript compiler does, or not at all.
const TYPES = 'plugins/typescript.js'
const EXPRESSIONS = 'traverser/expression.js'

const betweenCommas = (file, call, close, type) => ({
  file,
  was: `    ${call}();\n    eat(tt.comma);\n  }${type}`,
  now: `    ${call}();\n    if (!match(tt.${close})) expect(tt.comma);\n  }${type}`,
})

export const TYPE_MENDS = [
  // `a < b as number, c > (d)` and `a < [b in c] > (d)`: what stands side by side without a comma is no list of types.
  betweenCommas(TYPES, 'tsParseType', 'greaterThan', '\n  if (!oldIsType) {'),
  betweenCommas(TYPES, 'tsParseTypeParameter', 'greaterThan', ''),
  betweenCommas(TYPES, 'tsParseTupleElementType', 'bracketR', ''),
  betweenCommas(TYPES, 'tsParseExpressionWithTypeArguments', 'braceL', ''),
  betweenCommas(TYPES, 'tsParseEnumMember', 'braceR', ''),

  // `a < typeof 1 > (b)`: not every token is a name.
  {
    file: EXPRESSIONS,
    was: 'export function parseIdentifier() {\n',
    now: 'export function parseIdentifier() {\n  if (!match(tt.name) && !(state.type & TokenType.IS_KEYWORD)) unexpected();\n',
  },
  {
    file: TYPES,
    was: '    tsParseImportType();\n  } else {\n    tsParseEntityName();\n  }',
    now: '    tsParseImportType();\n  } else {\n    tsParseEntityName(true);\n  }',
  },
  {
    file: TYPES,
    was: 'function tsParseEntityName() {\n  parseIdentifier();\n  while (eat(tt.dot)) {\n',
    now: 'function tsParseEntityName(isOfValue = false) {\n  parseIdentifier();\n  while (eat(tt.dot)) {\n    if (isOfValue) eat(tt.hash);\n',
  },

  // `${a b}`: what stands in a template ends with a brace, and is not its text from there on.
  {
    file: EXPRESSIONS,
    was: '    parseExpression();\n    // Finish }, read quasi\n',
    now: '    parseExpression();\n    if (!match(tt.braceR)) unexpected();\n',
  },
  {
    file: TYPES,
    was: '    tsParseType();\n    // Finish }, read quasi\n',
    now: '    tsParseType();\n    if (!match(tt.braceR)) unexpected();\n',
  },
  // `async (a): asserts a => b`
  {
    file: TYPES,
    was: 'export function tsStartParseAsyncArrowFromCallExpression() {\n  if (match(tt.colon)) {\n    tsParseTypeAnnotation();\n  }',
    now: 'export function tsStartParseAsyncArrowFromCallExpression() {\n  tsTryParseTypeOrTypePredicateAnnotation();',
  },

  // `a < -b > (c)`
  {
    file: TYPES,
    was: '    case tt.minus:\n      next();\n',
    now: '    case tt.minus:\n      next();\n      if (!match(tt.num) && !match(tt.bigint)) unexpected();\n',
  },

  // `n as number < 5`: what follows the types of the language are no arguments.
  {
    file: TYPES,
    was: 'import {isJSXEnabled, state} from "../traverser/base";',
    now: 'import {input, isJSXEnabled, state} from "../traverser/base";',
  },
  {
    file: TYPES,
    was: 'function tsParseTypeReference() {\n  tsParseEntityName();\n  if (',
    now: `const OF_THE_LANGUAGE = /^(?:any|bigint|boolean|never|number|object|string|symbol|undefined|unknown)$/;
function tsParseTypeReference() {
  const at = state.tokens.length;
  tsParseEntityName();
  if (
    match(tt.lessThan) &&
    state.tokens.length === at + 1 &&
    OF_THE_LANGUAGE.test(input.slice(state.tokens[at].start, state.tokens[at].end))
  )
    return;
  if (`,
  },
  // `n as number << 5`
  {
    file: 'tokenizer/index.js',
    was: 'export function rescan_gt() {\n',
    now: `export function rescan_gt() {
  if (state.type === tt.lessThan) {
    state.pos -= 1;
    readToken_lt();
  }
`,
  },

  // `import("a", { with: { ... } }).B`, and no arguments on the next line.
  {
    file: TYPES,
    was: '  expect(tt.string);\n  expect(tt.parenR);\n  if (eat(tt.dot)) {\n    tsParseEntityName();\n  }\n  if (match(tt.lessThan)) {',
    now: `  expect(tt.string);
  if (eat(tt.comma) && match(tt.braceL)) {
    tsParseType();
    eat(tt.comma);
  }
  expect(tt.parenR);
  if (eat(tt.dot)) {
    tsParseEntityName();
  }
  if (!hasPrecedingLineBreak() && match(tt.lessThan)) {`,
  },

  // `asserts` before a line break is a type of that name.
  {
    file: TYPES,
    was: '    if (eatContextual(ContextualKeyword._is)) {\n      // If we see `asserts is`',
    now: '    if (!hasPrecedingLineBreak() && eatContextual(ContextualKeyword._is)) {\n      // If we see `asserts is`',
  },
  {
    file: TYPES,
    was: '    } else if (tsIsIdentifier() || match(tt._this)) {\n      next();\n      if (eat',
    now: '    } else if (!hasPrecedingLineBreak() && (tsIsIdentifier() || match(tt._this))) {\n      next();\n      if (eat',
  },

  // `a + b as T * c` is `(a + b) * c` with types, and something else when they are gone.
  {
    file: EXPRESSIONS,
    was: 'function parseExprOp(startTokenIndex, minPrec, noIn) {',
    // One after the other: a long sum is not nested.
    now: `function parseExprOp(startTokenIndex, minPrec, noIn) {
  for (let loosest = Infinity; loosest >= 0; ) loosest = parseOneOp(startTokenIndex, minPrec, noIn, loosest);
}
function parseOneOp(startTokenIndex, minPrec, noIn, loosest) {`,
  },
  {
    file: EXPRESSIONS,
    was: '    rescan_gt();\n    parseExprOp(startTokenIndex, minPrec, noIn);\n    return;',
    now: `    rescan_gt();
    const nextPrec = state.type & TokenType.PRECEDENCE_MASK;
    if (nextPrec > loosest && nextPrec > minPrec)
      unexpected("put what has a type into parentheses: (a + b as Type) * c");
    return loosest;`,
  },
  {
    file: EXPRESSIONS,
    was: '      // Continue with any future operator holding this expression as the left operand.\n      parseExprOp(startTokenIndex, minPrec, noIn);',
    now: '      return Math.min(loosest, prec);',
  },

  // What may stand after type arguments: `a < b > + c` is two comparisons on two lines too.
  {
    file: TYPES,
    was: `      state.type === tt.greaterThan ||
      // a<b>c is (a<b)>c
      (state.type !== tt.parenL &&
        Boolean(state.type & TokenType.IS_EXPRESSION_START) &&
        !hasPrecedingLineBreak())`,
    now: `      match(tt.greaterThan) ||
      match(tt.lessThan) ||
      match(tt.plus) ||
      match(tt.minus) ||
      (!match(tt.parenL) &&
        !hasPrecedingLineBreak() &&
        (match(tt.assign)
          ? input.charCodeAt(state.start) === 0x2f
          : !(state.type & TokenType.PRECEDENCE_MASK) &&
            Boolean(state.type & TokenType.IS_EXPRESSION_START) &&
            !isContextual(ContextualKeyword._as) &&
            !isContextual(ContextualKeyword._satisfies)))`,
  },

  // What stands in a namespace or is the value of a member is no type, though it goes with one: `>=` is one sign there.
  {
    file: TYPES,
    was: 'function tsParseModuleBlock() {\n  expect(tt.braceL);\n  parseBlockBody(/* end */ tt.braceR);\n}',
    now: `let marksTypes = false;
function asValues(parse) {
  const from = state.tokens.length;
  const isType = state.isType;
  // They lie in one another: the outermost that is a type says so of all that is in it, once.
  const isMarked = marksTypes;
  marksTypes ||= isType;
  state.isType = false;
  try {
    parse();
  } finally {
    marksTypes = isMarked;
  }
  state.isType = isType;
  if (isType && !isMarked) for (let i = from; i < state.tokens.length; i++) state.tokens[i].isType = true;
}
function tsParseModuleBlock() {
  asValues(() => {
    expect(tt.braceL);
    parseBlockBody(/* end */ tt.braceR);
  });
}`,
  },
  {
    file: TYPES,
    was: '    const eqIndex = state.tokens.length - 1;\n    parseMaybeAssign();',
    now: '    const eqIndex = state.tokens.length - 1;\n    asValues(() => parseMaybeAssign());',
  },
]
