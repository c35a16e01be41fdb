// What is written otherwise in sucrase's parser about statements, classes and functions, as in type-mends.mjs.
const TYPES = 'plugins/typescript.js'
const EXPRESSIONS = 'traverser/expression.js'
const STATEMENTS = 'traverser/statement.js'

export const STATEMENT_MENDS = [
  // `static private a`
  {
    file: TYPES,
    was: '    ContextualKeyword._abstract,\n    ContextualKeyword._readonly,\n',
    now: '    ContextualKeyword._abstract,\n    ContextualKeyword._public,\n    ContextualKeyword._protected,\n    ContextualKeyword._private,\n    ContextualKeyword._readonly,\n',
  },
  // `static?: T`, and `get?` before a line break.
  {
    file: STATEMENTS,
    was: "    parseIdentifier(); // eats 'static'\n",
    now: "    parseIdentifier(); // eats 'static'\n    parsePostMemberNameModifiers();\n",
  },
  {
    file: STATEMENTS,
    was: '  } else if (\n    (token.contextualKeyword === ContextualKeyword._get ||',
    now: '  } else if (\n    token === state.tokens[state.tokens.length - 1] &&\n    (token.contextualKeyword === ContextualKeyword._get ||',
  },

  // A function that is a value has a body, and a method of an object has.
  {
    file: EXPRESSIONS,
    was: '  const functionStart = state.start;\n  if (match(tt.parenL)) {',
    now: '  const functionStart = -1;\n  if (match(tt.parenL)) {',
  },
  {
    file: STATEMENTS,
    was: '  parseFunctionBodyAndFinish(functionStart);',
    now: '  parseFunctionBodyAndFinish(isStatement ? functionStart : -1);',
  },
  {
    file: TYPES,
    was: '  if (!match(tt.braceL) && isLineTerminator()) {',
    now: '  if (functionStart >= 0 && !match(tt.braceL) && isLineTerminator()) {',
  },
  // Overloads that lie in one another are gone over once for each around them.
  {
    file: TYPES,
    was: '      state.tokens[i].isType = true;\n      i--;\n    }\n    return;',
    now: '      state.tokens[i].isType = true;\n      i--;\n    }\n    input.charge(2 * (state.tokens.length - i));\n    return;',
  },

  // Where a `for await` begins and where its list ends is noted at its `of`, and labels have a scope, for await-loops.ts.
  {
    file: STATEMENTS,
    was: '  parseAmbiguousForStatement();',
    now: '  parseAmbiguousForStatement(startTokenIndex);',
  },
  {
    file: STATEMENTS,
    was: 'function parseAmbiguousForStatement() {',
    now: 'function parseAmbiguousForStatement(startTokenIndex) {',
  },
  {
    file: STATEMENTS,
    was: '      parseForIn(forAwait);',
    now: '      parseForIn(forAwait, startTokenIndex);',
  },
  {
    file: STATEMENTS,
    was: '  parseExpression(true);\n  if (match(tt._in) || isContextual(ContextualKeyword._of)) {\n    parseForIn(forAwait);',
    now: '  parseExpression(true);\n  if (match(tt._in) || isContextual(ContextualKeyword._of)) {\n    parseForIn(forAwait, startTokenIndex);',
  },
  {
    file: STATEMENTS,
    was: 'function parseForIn(forAwait) {',
    now: 'function parseForIn(forAwait, startTokenIndex) {',
  },
  {
    file: STATEMENTS,
    was: '    next();\n  }\n  parseExpression();\n  expect(tt.parenR);\n  parseStatement(false);',
    now: `    next();
  }
  const of = state.tokens.length - 1;
  parseExpression();
  if (forAwait) {
    state.tokens[of].contextId = startTokenIndex;
    state.tokens[of].rhsEndIndex = state.tokens.length;
  }
  expect(tt.parenR);
  parseStatement(false);`,
  },
  {
    file: STATEMENTS,
    was: '    parseLabeledStatement();\n',
    now: '    parseLabeledStatement();\n    state.scopes.push(new Scope(initialTokensLength, state.tokens.length, false));\n',
  },

  // `type as = 1`, `interface satisfies {}`
  {
    file: STATEMENTS,
    was: '      } else if (startsAwaitUsing()) {',
    now: `      } else if (tsIsDeclarationStart() && tsNamesTypeAs()) {
        const {contextualKeyword} = state;
        next();
        parseIdentifierStatement(contextualKeyword);
        return;
      } else if (startsAwaitUsing()) {`,
  },
  {
    file: STATEMENTS,
    was: 'function startsAwaitUsing() {\n',
    now: `function tsNamesTypeAs() {
  const snapshot = state.snapshot();
  next();
  const isName =
    match(tt.name) &&
    !hasPrecedingLineBreak() &&
    (isContextual(ContextualKeyword._as) || isContextual(ContextualKeyword._satisfies));
  state.restoreFromSnapshot(snapshot);
  return isName;
}
function startsAwaitUsing() {
`,
  },
]
