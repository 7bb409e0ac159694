import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service adds only these files to its static ones. */
const OUT = join(import.meta.dirname, '../../dist/console');
const IS_TEXT = /\.(js|css|svg)$/;

// Also when a test run builds it, which has another NODE_ENV: React's code for development is half as large again.
process.env.NODE_ENV = 'production';

/** Writes `.br` and `.gz` beside each text, so that the service compresses nothing. */
const compressed = {
  name: 'compressed',
  closeBundle() {
    const folder = join(OUT, 'assets');
    for (const name of readdirSync(folder).filter((file) => IS_TEXT.test(file))) {
      const content = readFileSync(join(folder, name));
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig({
  // Relative, because PUBLIC_URL can have a path. The service writes it into the HTML.
  base: './',
  plugins: [react(), compressed],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // A data: URL of a script or a font breaks the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // sizes.js has the budget.
    chunkSizeWarningLimit: 1000,
  },
  logLevel: 'warn',
});
