import { defineConfig } from 'vitest/config';

// The workspace's own source condition comes first, so that tests run the sources and need no build.
const conditions = ['@pawl/source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@pawl/source', 'node'] } },
  // A limit that only a hang reaches: how long a test takes says more about the machine than about the product.
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ['packages/**/src/**/*.test.ts', 'examples/**/src/**/*.test.ts', 'test/**/*.test.ts'],
  },
});
