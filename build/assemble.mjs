import binaryen from 'binaryen'

/** A module from its text form. */
export function assemble(text) {
  const module = binaryen.parseText(text)
  const {
    MutableGlobals,
    NontrappingFPToInt,
    BulkMemory,
    BulkMemoryOpt = 0,
    SignExt,
    Multivalue,
    ReferenceTypes,
  } = binaryen.Features
  // Named one by one: "all" makes a binary that Node 20 refuses.
  module.setFeatures(
    MutableGlobals | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SignExt | Multivalue | ReferenceTypes,
  )
  const isValid = module.validate() === 1
  const output = Buffer.from(module.emitBinary())
  module.dispose()
  if (!isValid) throw new Error('The assembled module is not valid')
  return output
}
