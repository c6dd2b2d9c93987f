/** Which folder may import which. "service/src/" is left out below; tests may import anything. */
const service = (folders) => `^service/src/(${folders})/`
const forbid = (name, from, to, comment, options = {}) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: to, ...options },
})

/**
 * From the lowest: a folder imports only from folders listed above it, so circles are impossible. Every folder must
 * be listed.
 */
const layers = [
  ['families', 'signals', 'threads', 'warnings'],
  ['outbound', 'text'],
  ['connectors'],
  ['conformance', 'db'],
  ['accounts', 'mail', 'mapping', 'uploads', 'webhooks'],
  ['invoices'],
  ['imports'],
  ['authorizations', 'certificates', 'operators', 'partners', 'payments'],
  ['engine', 'metrics', 'partner-api', 'portal', 'retention', 'tracing'],
  ['console'],
  ['demo'],
  ['operator'],
]
const known = layers.flat().join('|')
const upwards = layers.flatMap((layer, index) =>
  layer.map((folder) => {
    const others = layers
      .slice(index)
      .flat()
      .filter((other) => other !== folder)
    return forbid(
      `${folder}-below`,
      service(folder),
      service(others.join('|')),
      'The lower folder is handed what it needs.',
    )
  }),
)

/** Files of service/src itself stand between the folders, so that no folder reaches a higher one through them. */
const file = (names) => `^service/src/(${names})\\.ts$`
const tops = 'app|http-log|main|worker'
const bases = 'config|errors|give-way|json-pieces|languages|mail-address|turns'
const belowDb = layers
  .slice(
    0,
    layers.findIndex((layer) => layer.includes('db')),
  )
  .flat()
  .join('|')
const files = [
  forbid('base-files', file(bases), '^service/src/[^/]+/', 'Every folder may import a base file, so it imports none.'),
  forbid('below-db', service(belowDb), file(`(?!(${bases})\\.)[^/]+`), 'A folder below db imports only base files.'),
  forbid(
    'shared-files',
    file(`(?!(${tops})\\.)[^/]+`),
    '^service/src/(?!(db|families|signals)/)[^/]+/',
    'Folders share these files, so they import only low folders.',
  ),
]

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...upwards,
    ...files,
    forbid('known-folders', '', `^service/src/(?!(${known})/)[^/]+/`, 'A new folder gets its place in "layers".'),
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'connectors-are-apart',
      severity: 'error',
      // A connector imports only the contract, the kit and what its family shares, never another connector.
      from: { path: '^service/src/connectors/((?:blog|crm|helpdesk|project)/[^/]+|files|open)/.+' },
      to: {
        path: '^service/src/connectors/.+/.+',
        pathNot: ['^service/src/connectors/($1|contract|kit)/', '^service/src/connectors/(?:crm|helpdesk)/[^/]+$'],
      },
    },
    {
      name: 'family-knows-no-tool',
      severity: 'error',
      from: { path: '^service/src/connectors/(crm|helpdesk)/[^/]+$' },
      to: { path: '^service/src/connectors/.+/.+', pathNot: '^service/src/connectors/(contract|kit|$1)/[^/]+$' },
    },
    {
      name: 'kit-knows-no-tool',
      severity: 'error',
      from: { path: '^service/src/connectors/(kit|contract)/.+' },
      to: { path: '^service/src/connectors/.+/.+', pathNot: '^service/src/connectors/(contract|kit)/' },
    },
    forbid('families-are-data', service('families'), '^service/src/(?!families/)', 'Families are pure data.'),
    forbid('sdk-stands-alone', '^sdk/src/', '^(service|web|node_modules)/', 'The SDK pulls in nothing of ours.'),
    forbid('web-takes-types-only', '^web/', '^service/', 'Browser code takes the portal contract, as types.', {
      dependencyTypesNot: ['type-only'],
    }),
    forbid(
      'no-tests-in-production',
      '^(service/src|sdk/src|web)/',
      '^test/',
      'Production code does not import test support.',
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
