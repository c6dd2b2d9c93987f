/** Why a request or command leaves no line in the audit log. */
export interface NoAct {
  because: string
}
const readsOnly: NoAct = { because: 'it changes nothing' }
const elsewhere: NoAct = { because: 'it changes nothing in the database of this installation' }

/** Every request that is no GET, with the acts that it leaves in the audit log. */
export const acts: Record<string, string[] | NoAct> = {
  // Partners
  'POST /api/v2.1/imports': ['import created'],
  'POST /api/v2.1/imports/:id/payment/accept': ['sponsorship accepted'],
  'POST /api/v2.1/imports/:id/payment/reject': ['sponsorship rejected'],
  'POST /api/v2.1/mappings': ['mapping provided'],
  'DELETE /api/v2.1/mappings/:mapping_id': ['mapping removed'],
  // Customers
  'POST /portal/session': { because: 'a link is opened; nothing is changed' },
  'PUT /portal/imports/:id/accounts/:role': ['source connected', 'destination connected'],
  'POST /portal/imports/:id/accounts/:role/sign-in': {
    because: 'the account is connected only when the customer comes back',
  },
  'POST /portal/imports/:id/runs': [
    'plan started',
    'sample started',
    'full started',
    'delta started',
    'retry started',
    'preview started',
    'check started',
    'removal started',
    'undo started',
  ],
  'POST /portal/imports/:id/pause': ['run paused'],
  'POST /portal/imports/:id/resume': ['run resumed'],
  'POST /portal/imports/:id/skip': ['skip asked for'],
  'POST /portal/imports/:id/cancel': ['import cancelled'],
  'POST /portal/imports/:id/start-over': ['started over'],
  'POST /portal/imports/:id/keep-gone': ['gone records kept'],
  'PUT /portal/imports/:id/verdicts': ['records judged'],
  'PUT /portal/imports/:id/people': ['people matched'],
  'PUT /portal/imports/:id/contact': ['contact set', 'contact removed'],
  'PUT /portal/imports/:id/language': ['language set'],
  'PUT /portal/imports/:id/visitor': ['name told', 'name removed'],
  'PUT /portal/imports/:id/mapping': ['mapping changed'],
  'POST /portal/imports/:id/mapping/preview': readsOnly,
  'POST /portal/imports/:id/mapping/check': readsOnly,
  'POST /portal/imports/:id/mapping/examples': readsOnly,
  'POST /portal/imports/:id/saved-mappings': ['mapping kept'],
  'DELETE /portal/imports/:id/saved-mappings/:mapping': ['mapping removed'],
  'PUT /portal/imports/:id/corrections/:entity/*': ['record corrected'],
  'POST /portal/imports/:id/sponsorship-request': ['sponsorship asked for'],
  'POST /portal/imports/:id/purchase': ['purchase started'],
  'POST /portal/imports/:id/purchase/cancel': ['purchase cancelled'],
  'POST /portal/imports/:id/uploads': ['upload started'],
  'POST /portal/imports/:id/uploads/:upload/files': ['upload file added'],
  'DELETE /portal/imports/:id/uploads/:upload/files/:file': ['upload file removed'],
  'PUT /portal/imports/:id/uploads/:upload/content': { because: 'it is one part of an upload that was started' },
  'POST /portal/imports/:id/uploads/:upload/finish': ['upload finished'],
  'PUT /portal/imports/:id/uploads/:upload/tables': ['tables chosen'],
  // Payment providers
  'POST /payments/stripe/events': ['purchase paid'],
}

/** Every command of the operator, likewise. */
export const commands: Record<string, string[] | NoAct> = {
  serve: { because: 'it runs the service' },
  'partner create': ['partner created'],
  'partner list': readsOnly,
  'partner show': readsOnly,
  'partner disable': ['partner disabled'],
  'partner brand': ['partner branded'],
  'partner policy': ['policy set'],
  'partner mapping list': readsOnly,
  'partner mapping show': readsOnly,
  'partner mapping set': ['mapping provided'],
  'partner mapping remove': ['mapping removed'],
  'token issue': ['token issued'],
  'token list': readsOnly,
  'token revoke': ['token revoked'],
  'import list': readsOnly,
  'import show': readsOnly,
  'import cancel': ['import cancelled'],
  'import archive': ['import archived'],
  'run list': readsOnly,
  'run show': readsOnly,
  'run pause': ['run paused'],
  'run resume': ['run resumed'],
  'run skip': ['skip asked for'],
  'prices show': readsOnly,
  'prices set': ['prices set'],
  'invoice list': readsOnly,
  'invoice show': readsOnly,
  'invoice paid': ['invoice marked paid'],
  'invoice cancel': ['invoice cancelled'],
  'invoice issuer': ['issuer set'],
  'payment list': readsOnly,
  'payment show': readsOnly,
  'payment refund': ['refund ordered'],
  'webhook list': readsOnly,
  'webhook log': readsOnly,
  'webhook set': ['webhook target set'],
  'webhook test': ['webhook test sent'],
  'webhook rotate': ['webhook secret rotated'],
  'webhook replay': ['webhook messages replayed'],
  'mail list': readsOnly,
  'mail show': readsOnly,
  'audit list': readsOnly,
  'audit export': readsOnly,
  'audit verify': readsOnly,
  'certificate show': readsOnly,
  'certificate verify': readsOnly,
  'keys list': readsOnly,
  'keys add': ['key added'],
  'keys rotate': ['keys rotated'],
  'keys drop': ['key dropped'],
  'connector new': elsewhere,
  'connector check': elsewhere,
  'connector probe': elsewhere,
  'connector oauth set': ['oauth client set'],
  'connector oauth list': readsOnly,
  'connector oauth remove': ['oauth client removed'],
  conformance: elsewhere,
}

/** Who acts: each kind of actor must have left its own line, even where others do the same. */
const actorOf = (name: string) =>
  name.includes(' /api/')
    ? 'partner'
    : name.includes(' /portal/')
      ? 'customer'
      : name.includes(' /')
        ? 'service'
        : 'operator'

export const actsOf = (table: Record<string, string[] | NoAct>) =>
  Object.entries(table).flatMap(([name, told]) =>
    Array.isArray(told) ? told.map((act) => `${actorOf(name)}: ${act}`) : [],
  )
