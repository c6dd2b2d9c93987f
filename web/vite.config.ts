import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** The size limit of the first screen in bytes after gzip. It loads in two seconds on a poor phone connection. */
const maxFirstLoadBytes = 120_000

type OutputFile = Rolldown.OutputChunk | Rolldown.OutputAsset

/** Writes a .gz and a .br file beside each asset for the server, and fails a build that is too large. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    enforce: 'post',
    // Runs after all other plugins, so that it compresses the final files.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const weights = new Map<string, number>()
        for (const file of Object.values(bundle)) {
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          const gzipped = gzipSync(source, { level: 9 })
          weights.set(file.fileName, gzipped.length)
          if (!/^assets\/.*\.(js|css|svg)$/.test(file.fileName)) continue
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipped })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(source) })
        }
        const firstLoadBytes = weighFirstLoad(Object.values(bundle), weights)
        const summary = `first load: ${(firstLoadBytes / 1000).toFixed(1)} kB of ${maxFirstLoadBytes / 1000} kB gzipped`
        if (firstLoadBytes > maxFirstLoadBytes) this.error(`The portal is too heavy. ${summary}`)
        this.info(summary)
      },
    },
  }
}

/**
 * Adds up the files that a browser loads before the first screen: all assets, the entry with its imports, the largest
 * catalog, and the screen for connecting with its imports.
 */
function weighFirstLoad(files: OutputFile[], weights: ReadonlyMap<string, number>): number {
  const chunks = files.filter((file) => file.type === 'chunk')
  const reach = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) reach(next, seen)
    return seen
  }
  const weigh = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0)
  const chunkOf = (path: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(path))
    if (!chunk) throw new Error(`${path} is in no file of its own any more: weigh something else`)
    return chunk.fileName
  }
  const entry = reach(chunkOf('web/index.html'))
  const beyond = (path: string) => weigh([...reach(chunkOf(path))].filter((name) => !entry.has(name)))
  const catalog = Math.max(...['en', 'de', 'es', 'fr'].map((language) => beyond(`texts/${language}/index.ts`)))
  // Leaves out the console's styles, because customers never load that page.
  const others = files
    .filter(({ type, fileName }) => type === 'asset' && !fileName.includes('console'))
    .map(({ fileName }) => fileName)
  return weigh(others) + weigh(entry) + catalog + beyond('portal/connect/connect.tsx')
}

export default defineConfig({
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    // The content security policy allows no inline scripts or styles, so even small assets stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'home.html', 'console.html'], checks: { bundlerTimings: false } },
    reportCompressedSize: false,
  },
})
