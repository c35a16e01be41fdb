import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const source = fileURLToPath(new URL('./src/', import.meta.url))

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      { find: /^toolgate$/, replacement: `${source}index.ts` },
      { find: /^toolgate\/([a-z-]+)$/, replacement: `${source}$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    exclude: ['**/node_modules/**', 'test/runtimes/**', 'bench/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
  },
})

export default config
