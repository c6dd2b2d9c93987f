import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What the first screen may weigh in all, in bytes after gzip: two seconds on a poor phone connection. */
const maxFirstLoadBytes = 120_000

/** Lays a .gz and a .br beside each asset, for the server to send as they are, and stops a build that grew too heavy. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let firstLoadBytes = 0
      for (const file of Object.values(bundle)) {
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        const gzipped = gzipSync(source, { level: 9 })
        firstLoadBytes += gzipped.length
        if (!/^assets\/.*\.(js|css|svg)$/.test(file.fileName)) continue
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipped })
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(source) })
      }
      const summary = `first load: ${(firstLoadBytes / 1000).toFixed(1)} kB of ${maxFirstLoadBytes / 1000} kB gzipped`
      if (firstLoadBytes > maxFirstLoadBytes) this.error(`The portal is too heavy. ${summary}`)
      console.log(summary)
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    // The content security policy allows no inline script or style; files it is, also for small things.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
