import pg from 'pg'
import { newId } from '../src/ids.ts'
import { hashApiToken, newApiToken } from '../src/partners/api-token.ts'

export interface Filling {
  partners: number
  usernamesPerPartner: number
  importsPerUsername: number
}

/** An import to request, with the header that authorizes it. */
export interface FilledImport {
  id: string
  partnerId: string
  username: string
  authorization: string
}

/** Scatters each partner's imports over the whole table, as if all partners were busy. */
const insertImports = `
  insert into imports (id, partner_id, source_tool, destination_tool, family, destination_username, sponsorship,
    status, sequence, items, users, progress, created_at)
  select
    -- Growing with time and then random; hexadecimal digits are all letters of the TypeID alphabet.
    'imp_01' || lpad(to_hex(n), 8, '0') || left(md5(n::text), 16),
    p.id, 'fernhill', 'open', 'helpdesk', 'user-' || (n / $2) % $3 || '@example.com', 'accepted',
    'migration_in_progress', 6,
    jsonb_build_object('contacts', n % 5000, 'organizations', n % 300, 'tickets', n % 20000, 'comments', n % 90000),
    jsonb_build_object('source_tool', n % 90, 'destination_tool', n % 80, 'matched', n % 70),
    jsonb_build_object('done', n % 100000, 'total', 115300),
    now() - make_interval(secs => $4 - n)
  from generate_series(0, $4 - 1) n
  join unnest($1::text[]) with ordinality p (id, place) on p.place = 1 + n % $2`

const insertWarnings = `
  insert into warnings (import_id, code, entity, message, count)
  select id, code, 'tickets', 'A text for people that says what did not come over, and why.', 3
  from imports, unnest(array['attachment_too_large', 'field_not_supported']) code
  where right(id, 1) in ('0', '1')`

/** Fills the database quickly: foreign keys and triggers are off. The counts are those of busy imports. */
export async function fillDatabase(url: string, filling: Filling): Promise<Map<string, string>> {
  const { partners, usernamesPerPartner, importsPerUsername } = filling
  const tokens = new Map(Array.from({ length: partners }, () => [newId('prt'), newApiToken()]))
  const ids = [...tokens.keys()]
  await withClient(url, async (client) => {
    await client.query(`set session_replication_role = replica`)
    await client.query(
      `insert into partners (id, name, destination_tool, families)
      select id, 'Partner ' || id, 'open', '{helpdesk}' from unnest($1::text[]) id`,
      [ids],
    )
    await client.query(
      `insert into api_tokens (id, partner_id, token_hash)
      select * from unnest($1::text[], $2::text[], $3::bytea[])`,
      [ids.map(() => newId('tok')), ids, [...tokens.values()].map(hashApiToken)],
    )
    const imports = partners * usernamesPerPartner * importsPerUsername
    await client.query(insertImports, [ids, partners, usernamesPerPartner, imports])
    await client.query(insertWarnings)
    // Done now, so that neither happens during a measurement.
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
  return tokens
}

/**
 * Picks imports from the whole table. Neighbours in the result belong to different partners, so that partners take
 * turns.
 */
export async function sampleImports(
  url: string,
  tokens: Map<string, string>,
  options: { partners: number; imports: number },
): Promise<FilledImport[]> {
  const partnerIds = [...tokens.keys()].slice(0, options.partners)
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string; partner_id: string; destination_username: string }>(
      `select id, partner_id, destination_username from imports where partner_id = any($1)
      order by row_number() over (partition by partner_id order by md5(id)), partner_id limit $2`,
      [partnerIds, options.imports],
    )
    return rows.map((row) => ({
      id: row.id,
      partnerId: row.partner_id,
      username: row.destination_username,
      authorization: `Basic ${Buffer.from(`${tokens.get(row.partner_id)}:`).toString('base64')}`,
    }))
  })
}

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // Ctrl-C stops the server during a statement. The statement's own error is enough.
  client.on('error', () => {})
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
