// Builds the screens into web/dist (or another folder, for tests), with a compressed version of each file so that the server does not have to compress;
// in development it serves them itself and proxies calls to a running server (KONTOR_URL).

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'
import { installedApp } from './installed-app.ts'

const server = process.env['KONTOR_URL'] ?? 'http://127.0.0.1:8080'

/** Paths that the server handles; everything else belongs to the screens. */
const serverPaths = ['/screens/', '/v1', '/openapi.json', '/healthz', '/readyz']

/** Smaller files gain nothing. Most scripts are small, because each screen loads only what it uses. */
const smallest = 150

function compressFiles(): Plugin {
  let dist = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved({ root, build }) {
      dist = resolve(root, build.outDir)
    },
    writeBundle() {
      for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        const path = join(dist, name)
        if (!/\.(js|css|svg|html|wasm)$/.test(name) || statSync(path).size < smallest) continue
        const bytes = readFileSync(path)
        writeFileSync(`${path}.br`, brotliCompressSync(bytes))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** The browser fetches the screens together with the texts, although they are imported after them. */
function preloadScreens(): Plugin {
  return {
    name: 'preload-screens',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const needed = new Set<string>()
        const add = (file: string): void => {
          const chunk = bundle[file]
          if (chunk?.type !== 'chunk' || needed.has(file)) return
          needed.add(file)
          for (const imported of chunk.imports) add(imported)
        }
        for (const one of Object.values(bundle))
          if (one.type === 'chunk' && one.facadeModuleId?.endsWith('/web/src/start.tsx')) add(one.fileName)
        return [...needed].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
        }))
      },
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadScreens(), installedApp(), compressFiles()],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined files would need data: addresses in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What is needed to load the texts. Apart from all screens, because these read their texts when they are loaded.
            { name: 'language', test: /\/web\/src\/(language|format|statuses|messages)(\.ts|\/en)/, priority: 2 },
            // What most screens need is one file: it is smaller, and loaded sooner, than dozens.
            { name: 'common', minShareCount: 25, priority: 1 },
            // So are what surrounds every screen of a signed-in user, and what only that needs.
            { name: 'frame', test: /\/web\/src\/frame\/frame\.tsx$/ },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // The Host header is kept, because the server compares the origin of a request with it.
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: server, changeOrigin: false }])),
  },
})
