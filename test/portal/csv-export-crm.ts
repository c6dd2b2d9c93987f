import { type CsvExport, rows } from './csv-export.ts'

export const crmExport: CsvExport = {
  files: [
    { name: 'pipelines.csv', content: rows('id,name,position', 'l1,Sales,1') },
    {
      name: 'stages.csv',
      content: rows('id,pipeline_id,name,position,probability,outcome', 's1,l1,Offer,2,60,open'),
    },
    {
      name: 'accounts.csv',
      content: rows(
        'id,name,emails,phones,addresses,websites,description,industry,type,employees,annual_revenue,vat_number,parent_account_id,is_private,owner',
        'f1,Acme,info@acme.example,+1 555 01,"[""1 Main St, Springfield""]",https://acme.example,Big,Garden,customer,120,1200000.50 EUR,DE123,,yes,maeve@fernhill.example',
        'f2,Acme South,,,,,,,,,,,f1,,',
      ),
    },
    {
      name: 'contacts.csv',
      content: rows(
        'id,name,first_name,last_name,emails,phones,addresses,websites,title,department,account_ids,language,birthday,do_not_contact,is_private,description,owner',
        'c1,Ada Byron,Ada,Byron,ada@acme.example,555-02,Long Lane 5,https://ada.example,CTO,Research,f1;f2,en,1985-12-10,no,yes,Likes numbers,priya@fernhill.example',
      ),
    },
    {
      name: 'deals.csv',
      content: rows(
        'id,name,value,currency,pipeline_id,stage_id,status,probability,expected_close_on,closed_at,lost_reason,source,is_private,account_id,contact_ids,description,owner',
        'd1,100 rakes,2500,USD,l1,s1,lost,60,2024-08-01,2024-07-15T10:00:00Z,Price,Fair,no,f1,c1,Bulk order,tomasz@fernhill.example',
      ),
    },
    {
      name: 'activities.csv',
      content: rows(
        'id,deal_id,type,subject,body,status,started_at,ended_at,due_at,owner',
        'v1,d1,call,First call,<p>Friendly</p>,done,2024-06-01T09:00:00Z,2024-06-01T09:20:00Z,2024-06-02,maeve@fernhill.example',
      ),
    },
    {
      name: 'notes.csv',
      content: rows(
        'id,contact_id,title,body,author,created_at',
        'n1,c1,Remember,<p>Has a dog</p>,priya@fernhill.example,2024-06-03',
      ),
    },
  ],
  counts: { pipelines: 1, stages: 1, accounts: 2, contacts: 1, deals: 1, activities: 1, notes: 1 },
  expected: {
    pipelines: { l1: { fields: { name: 'Sales', position: 1 } } },
    stages: {
      s1: { fields: { pipeline: '@pipelines/l1', name: 'Offer', position: 2, probability: 60, outcome: 'open' } },
    },
    accounts: {
      f1: {
        fields: {
          name: 'Acme',
          emails: ['info@acme.example'],
          phones: ['+1 555 01'],
          addresses: [{ line1: '1 Main St, Springfield' }],
          websites: ['https://acme.example'],
          description: 'Big',
          industry: 'Garden',
          type: 'customer',
          employees: 120,
          annual_revenue: { amount: '1200000.50', currency: 'EUR' },
          vat_number: 'DE123',
          is_private: true,
          owner: 'u1',
        },
      },
      f2: { fields: { name: 'Acme South', parent_account: '@accounts/f1' } },
    },
    contacts: {
      c1: {
        fields: {
          name: 'Ada Byron',
          first_name: 'Ada',
          last_name: 'Byron',
          emails: ['ada@acme.example'],
          phones: ['555-02'],
          addresses: [{ line1: 'Long Lane 5' }],
          websites: ['https://ada.example'],
          title: 'CTO',
          department: 'Research',
          accounts: ['@accounts/f1', '@accounts/f2'],
          language: 'en',
          birthday: '1985-12-10',
          do_not_contact: false,
          is_private: true,
          description: 'Likes numbers',
          owner: 'u3',
        },
      },
    },
    deals: {
      d1: {
        fields: {
          name: '100 rakes',
          value: { amount: '2500', currency: 'USD' },
          pipeline: '@pipelines/l1',
          stage: '@stages/s1',
          status: 'lost',
          probability: 60,
          expected_close_on: '2024-08-01',
          closed_at: '2024-07-15T10:00:00.000Z',
          lost_reason: 'Price',
          source: 'Fair',
          is_private: false,
          account: '@accounts/f1',
          contacts: ['@contacts/c1'],
          description: 'Bulk order',
          owner: 'u2',
        },
      },
    },
    activities: {
      v1: {
        fields: {
          related: '@deals/d1',
          type: 'call',
          subject: 'First call',
          body: '<p>Friendly</p>',
          status: 'done',
          started_at: '2024-06-01T09:00:00.000Z',
          ended_at: '2024-06-01T09:20:00.000Z',
          due_at: '2024-06-02T00:00:00.000Z',
          owner: 'u1',
        },
      },
    },
    notes: {
      n1: {
        fields: { related: '@contacts/c1', title: 'Remember', body: '<p>Has a dog</p>', author: 'u3' },
        created_at: '2024-06-03T00:00:00.000Z',
      },
    },
  },
}
