import { describe, expect, test } from 'vitest'
import { detectTables } from '../../service/src/connectors/files/detect-tables.ts'
import { createCsvReader } from '../../service/src/connectors/files/reader.ts'
import { uploadOf, zipOf } from './csv-upload.ts'

/** The detected purpose of each column of each file. */
async function rolesIn(files: Record<string, string>) {
  const zip = zipOf(Object.entries(files).map(([name, content]) => ({ name, content })))
  const { tables, problems } = await detectTables(uploadOf('all.zip', zip), 'helpdesk')
  const roles = tables.map(({ entity, columns }) => [
    entity,
    columns.map(({ role }) => (role.kind === 'field' ? role.field : role.kind)),
  ])
  return { roles, problems, upload: uploadOf('all.zip', zip) }
}

const expected = [
  ['organizations', ['id', 'name']],
  ['contacts', ['id', 'name', 'emails', 'phones', 'organization']],
  ['tickets', ['id', 'subject', 'description', 'status', 'priority', 'requester', 'assignee', 'created_at', 'tags']],
  ['comments', ['id', 'ticket', 'author_contact', 'body', 'is_public', 'created_at']],
]

describe('files with column names in', () => {
  test('French are understood without a question', async () => {
    const { roles, problems, upload } = await rolesIn({
      'Entreprises.csv': 'identifiant,nom\n7,Acme',
      'clients.csv': 'id,nom complet,courriel,téléphone,ID d’entreprise\n1,Ada,ada@acme.example,1,7',
      'demandes 2024.csv':
        'id,objet,description,statut,priorité,ID du client,assigné à,créé le,étiquettes\n10,Râteau,Tordu,open,high,1,Bob,1er février 2024,a',
      'commentaires.csv': 'id,ID ticket,ID client,contenu,public,date de création\n20,10,1,Voici,oui,3 août 2024 10:00',
    })
    expect([roles, problems]).toEqual([expected, []])
    const { items } = await createCsvReader(upload, 'helpdesk').read('comments', null, {})
    expect(items[0]).toMatchObject({ createdAt: '2024-08-03T10:00:00.000Z', fields: { is_public: true } })
    const tickets = await createCsvReader(upload, 'helpdesk').read('tickets', null, {})
    expect(tickets.items[0]?.createdAt).toBe('2024-02-01T00:00:00.000Z')
  })

  test('Spanish are understood without a question', async () => {
    const { roles, problems, upload } = await rolesIn({
      'empresas.csv': 'identificador,nombre\n7,Acme',
      'Clientes.csv': 'id,nombre completo,correo electrónico,teléfono,ID de la empresa\n1,Ada,ada@acme.example,1,7',
      'incidencias.csv':
        'ID de incidencia,asunto,descripción,estado,prioridad,ID del cliente,asignado a,fecha de creación,etiquetas\n10,Pala,Rota,open,high,1,Bob,31 de diciembre de 2024,a',
      'comentarios.csv':
        'id,ID de la incidencia,ID del cliente,contenido,público,creado el\n20,10,1,Mire,sí,3 ago. 2024 10:00',
    })
    expect([roles, problems]).toEqual([expected, []])
    const { items } = await createCsvReader(upload, 'helpdesk').read('comments', null, {})
    expect(items[0]).toMatchObject({ createdAt: '2024-08-03T10:00:00.000Z', fields: { is_public: true } })
    const tickets = await createCsvReader(upload, 'helpdesk').read('tickets', null, {})
    expect(tickets.items[0]?.createdAt).toBe('2024-12-31T00:00:00.000Z')
  })
})

test('an abbreviation that fits two months is not guessed', async () => {
  const upload = uploadOf('tickets.csv', 'id,subject,created_at\n1,a,3 jui 2024\n2,b,3 juil. 2024')
  const { items } = await createCsvReader(upload, 'helpdesk').read('tickets', null, {})
  expect(items.map(({ createdAt }) => createdAt)).toEqual([undefined, '2024-07-03T00:00:00.000Z'])
})
