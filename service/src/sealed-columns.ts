/** A column whose values are sealed with the key ring. */
export interface SealedColumn {
  table: string
  column: string
  /** The primary key, with the types of its columns. */
  key: Record<string, 'text' | 'bytea' | 'boolean' | 'bigint'>
  /** The place that a value is bound to, as SQL; the same that the code which seals it says. */
  place: string
}

/** Every column that the key ring seals; `wherry keys rotate` seals each of them again. */
export const sealedColumns: readonly SealedColumn[] = [
  // First: processes read it often, so they notice a new key early.
  {
    table: 'installation',
    column: 'sealed_secret',
    key: { only_row: 'boolean' },
    place: `'installation.sealed_secret'`,
  },
  {
    table: 'authorizations',
    column: 'sealed_credentials',
    key: { import_id: 'text', role: 'text' },
    place: `'authorizations.sealed_credentials/' || import_id || '/' || role`,
  },
  {
    table: 'withdrawn_access',
    column: 'sealed_credentials',
    key: { id: 'bigint' },
    place: `'authorizations.sealed_credentials/' || import_id || '/' || role`,
  },
  { table: 'operators', column: 'sealed_totp', key: { id: 'text' }, place: `'operators.sealed_totp/' || id` },
  {
    table: 'webhook_secrets',
    column: 'sealed_secret',
    key: { id: 'text' },
    place: `'webhook_secrets.sealed_secret/' || id`,
  },
  {
    table: 'oauth_clients',
    column: 'sealed_secret',
    key: { tool: 'text', instance: 'text' },
    place: `'oauth_clients.sealed_secret/' || tool || '/' || instance`,
  },
  {
    table: 'oauth_sign_ins',
    column: 'sealed_details',
    key: { state_hash: 'bytea' },
    place: `'oauth_sign_ins.sealed_details/' || encode(state_hash, 'hex')`,
  },
  {
    table: 'certificate_keys',
    column: 'sealed_key',
    key: { kid: 'text' },
    place: `'certificate_keys.sealed_key/' || kid`,
  },
  { table: 'uploads', column: 'sealed_key', key: { id: 'text' }, place: `'uploads.sealed_key/' || id` },
]

/** Sealed with the upload's own key in uploads.sealed_key, so a new ring does not change them. */
export const sealedByUploads = ['uploads.sealed_findings', 'upload_files.sealed_name', 'upload_chunks.sealed_bytes']

/** Bytes that are no secret, or a hash of one. */
export const plainBytes = [
  'api_tokens.token_hash',
  'credit_notes.pdf',
  'id_map.sent_hash',
  'id_map.stored_hash',
  'id_map.written_hash',
  'idempotency_keys.body_hash',
  'invoices.pdf',
  'oauth_sign_ins.state_hash',
  'operator_sessions.secret_hash',
  'operators.setup_hash',
  'partners.logo',
  'portal_sessions.secret_hash',
  'sign_in_failures.key',
]
