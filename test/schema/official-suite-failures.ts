import type { SuiteFailures } from './official-suite.js'

/** All that the official suite says otherwise than either validator does, and why. */
export const OFFICIAL_SUITE_FAILURES: SuiteFailures = {
  refused: {
    draft7: {
      // The metaschema is not in the schema, and nothing is fetched.
      'definitions.json': ['validate definition against metaschema'],
      // Each schema has one draft; that of another address is not looked at.
      'optional/cross-draft.json': ['refs to future drafts are processed as future drafts'],
      // The metaschema is not in the schema, and nothing is fetched.
      'ref.json': ['remote ref, containing refs itself'],
      // They lead out of the schema, and nothing is fetched.
      'refRemote.json': [
        'remote ref',
        'fragment within remote ref',
        'ref within remote ref',
        'base URI change',
        'base URI change - change folder',
        'base URI change - change folder in subschema',
        'root ref in remote ref',
        'remote ref with ref to definitions',
        'Location-independent identifier in remote ref',
        'retrieved nested refs resolve relative to their URI not $id',
        '$ref to $ref finds location-independent $id',
      ],
    },
    'draft2020-12': {
      // The metaschema is not in the schema, and nothing is fetched.
      'defs.json': ['validate definition against metaschema'],
      // They lead out of the schema, and nothing is fetched.
      'dynamicRef.json': [
        'strict-tree schema, guards against misspelled properties',
        'tests for implementation dynamic anchor and reference link',
        '$ref and $dynamicAnchor are independent of order - $defs first',
        '$ref and $dynamicAnchor are independent of order - $ref first',
        '$ref to $dynamicRef finds detached $dynamicAnchor',
      ],
      // Each schema has one draft; that of another address is not looked at.
      'optional/cross-draft.json': ['refs to historic drafts are processed as historic drafts'],
      // $schema names a draft, not a metaschema of its own: formats annotate whatever it says.
      'optional/format-assertion.json': [
        'schema that uses custom metaschema with format-assertion: false',
        'schema that uses custom metaschema with format-assertion: true',
      ],
      // The metaschema is not in the schema, and nothing is fetched.
      'ref.json': ['remote ref, containing refs itself'],
      // They lead out of the schema, and nothing is fetched.
      'refRemote.json': [
        'remote ref',
        'fragment within remote ref',
        'anchor within remote ref',
        'ref within remote ref',
        'base URI change',
        'base URI change - change folder',
        'base URI change - change folder in subschema',
        'root ref in remote ref',
        'remote ref with ref to defs',
        'Location-independent identifier in remote ref',
        'retrieved nested refs resolve relative to their URI not $id',
        'remote HTTP ref with different $id',
        'remote HTTP ref with different URN $id',
        'remote HTTP ref with nested absolute ref',
        '$ref to $ref finds detached $anchor',
      ],
      // $schema names a draft, not a metaschema of its own.
      'vocabulary.json': [
        'schema that uses custom metaschema with with no validation vocabulary',
        'ignore unrecognized optional vocabulary',
      ],
    },
  },
  refusedWhole: {
    draft7: {
      // The metaschema is not in the schema, and nothing is fetched.
      'definitions.json': ['validate definition against metaschema'],
      // Each schema has one draft; that of another address is not looked at.
      'optional/cross-draft.json': ['refs to future drafts are processed as future drafts'],
      // The metaschema is not in the schema, and nothing is fetched.
      'ref.json': ['remote ref, containing refs itself'],
    },
    'draft2020-12': {
      // The metaschema is not in the schema, and nothing is fetched.
      'defs.json': ['validate definition against metaschema'],
      // Each schema has one draft; that of another address is not looked at.
      'optional/cross-draft.json': ['refs to historic drafts are processed as historic drafts'],
      // $schema names a draft, not a metaschema of its own: formats annotate whatever it says.
      'optional/format-assertion.json': [
        'schema that uses custom metaschema with format-assertion: false',
        'schema that uses custom metaschema with format-assertion: true',
      ],
      // The metaschema is not in the schema, and nothing is fetched.
      'ref.json': ['remote ref, containing refs itself'],
      // $schema names a draft, not a metaschema of its own.
      'vocabulary.json': [
        'schema that uses custom metaschema with with no validation vocabulary',
        'ignore unrecognized optional vocabulary',
      ],
    },
  },
  accepted: {
    draft7: {
      // contentEncoding and contentMediaType annotate, as in later drafts.
      'optional/content.json': [
        'validation of string-encoded content based on media type: an invalid JSON document',
        'validation of binary string-encoding: an invalid base64 string (% is not a valid character)',
        'validation of binary-encoded media type documents: a validly-encoded invalid JSON document',
        'validation of binary-encoded media type documents: an invalid base64 string that is valid JSON',
      ],
    },
  },
  rejected: {},
}
