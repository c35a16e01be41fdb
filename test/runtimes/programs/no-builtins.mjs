import { isBuiltin, registerHooks } from 'node:module'

// Covers `import` and `require`, packages included.
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (isBuiltin(specifier)) throw new Error(`${context.parentURL} asks for ${specifier}`)
    return nextResolve(specifier, context)
  },
})
