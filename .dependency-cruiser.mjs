/** Which folder may import which. "service/src/" is left out below; tests may import anything. */
const service = (folders) => `^service/src/(${folders})/`
const forbid = (name, from, to, comment, options = {}) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: to, ...options },
})
const edges = 'partner-api|portal|operator|engine'

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    forbid(
      'verbs-know-no-edges',
      service('imports|partners|authorizations|uploads|webhooks|db|outbound|families|connectors'),
      service(edges),
      'Handing over between steps is a row in a table, not a call.',
    ),
    forbid(
      'edges-are-apart',
      service('partner-api'),
      service('portal|operator|engine'),
      'Each surface stands for itself.',
    ),
    forbid(
      'portal-is-apart',
      service('portal'),
      service('partner-api|operator|engine'),
      'Each surface stands for itself.',
    ),
    forbid(
      'connectors-see-outbound-only',
      service('connectors'),
      service('db|imports|partners|authorizations|uploads|webhooks'),
      'A connector talks to its tool; the engine decides.',
    ),
    {
      name: 'connectors-are-apart',
      severity: 'error',
      from: { path: '^service/src/connectors/([^/]+)/.+' },
      to: { path: '^service/src/connectors/([^/]+)/.+', pathNot: '^service/src/connectors/($1|kit)/' },
    },
    forbid('families-are-data', service('families'), '^service/src/(?!families/)', 'Families are pure data.'),
    forbid(
      'outbound-is-low',
      service('outbound'),
      service('db|imports|partners|connectors'),
      'The HTTP client knows nothing of what it is used for.',
    ),
    forbid(
      'db-takes-types-only',
      service('db'),
      service('imports|partners|connectors|outbound'),
      'The database folder is below everything.',
      { dependencyTypesNot: ['type-only'] },
    ),
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
