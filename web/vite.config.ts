import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// Two pages, one build. Both find their hashed files under console/assets, so
// that a gateway without the demo still serves everything the console needs.
// URLs are relative: the pages work under any prefix that keeps /console/ and
// /demo/ side by side.
export default defineConfig({
  base: './',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'console/assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: true,
    rolldownOptions: { input: { console: 'console/index.html', demo: 'demo/index.html' } },
  },
  // test/roles.test.ts reads the gateway's own table.
  server: { fs: { allow: ['..'] } },
  test: { environment: 'jsdom', testTimeout: 30_000, setupFiles: ['test/setup.ts'], include: ['test/**/*.test.{ts,tsx}'], css: false },
})
