import { type CsvExport, rows } from './csv-export.ts'

export const projectExport: CsvExport = {
  files: [
    {
      name: 'projects.csv',
      content: rows(
        'id,key,name,description,status,is_public,parent_project_id,members,homepage',
        'p1,GAR,Garden,<p>All of it</p>,active,true,,maeve@fernhill.example|priya@fernhill.example,https://garden.example/',
        'p2,GAR2,Pond,,closed,false,p1,,',
      ),
    },
    {
      name: 'memberships.csv',
      content: rows('id,project_id,user,roles', 'r1,p1,maeve@fernhill.example,"manager;developer"'),
    },
    {
      name: 'milestones.csv',
      content: rows(
        'id,project_id,name,description,status,start_on,due_on,sharing',
        'm1,p1,Spring,All seeds,open,2024-03-01,31.05.2024,descendants',
      ),
    },
    { name: 'components.csv', content: rows('id,project_id,name,owner', 'b1,p1,Beds,owen@fernhill.example') },
    {
      name: 'issues.csv',
      content: rows(
        'id,key,title,body,type,status,priority,project_id,milestone_id,component_id,reporter,assignee,watchers,labels,is_private,progress_percent,estimate_hours,start_on,due_on,closed_at,parent_issue_id,block_ids,relates_to_ids,duplicate_ids,precede_ids,copied_to_ids,created_at',
        'i1,GAR-1,Dig the beds,<p>Deep.</p>,task,in_progress,urgent,p1,m1,b1,maeve@fernhill.example,tomasz@fernhill.example,priya@fernhill.example,"soil;spade",no,40,"7,5",2024-03-02,2024-03-09,,,i2,,,i2,i2,2024-03-01T08:00:00Z',
        'i2,GAR-2,Sow,,feature,new,low,p1,,,,,,,yes,,,,,2024-04-01T10:00:00Z,i1,,i1,i1,,,2024-03-05',
      ),
    },
    {
      name: 'comments.csv',
      content: rows(
        'id,issue_id,author,body,is_private,created_at',
        'k1,i1,priya@fernhill.example,<p>Half done</p>,yes,2024-03-03T08:00:00Z',
      ),
    },
    {
      name: 'time_entries.csv',
      content: rows(
        'id,project_id,issue_id,user,hours,spent_on,description,activity',
        'z1,p1,i1,tomasz@fernhill.example,2.25,2024-03-03,With the big spade,Digging',
      ),
    },
    {
      name: 'wiki_pages.csv',
      content: rows(
        'id,project_id,title,body,author,parent_page_id',
        'w1,p1,Tools,<ul><li>spade</li></ul>,maeve@fernhill.example,',
        'w2,p1,Spades,<p>Sharp</p>,,w1',
      ),
    },
  ],
  counts: {
    projects: 2,
    memberships: 1,
    milestones: 1,
    components: 1,
    issues: 2,
    comments: 1,
    time_entries: 1,
    wiki_pages: 2,
  },
  expected: {
    projects: {
      p1: {
        fields: {
          key: 'GAR',
          name: 'Garden',
          description: '<p>All of it</p>',
          status: 'active',
          is_public: true,
          members: ['u1', 'u3'],
          homepage: 'https://garden.example/',
        },
      },
      p2: {
        fields: { key: 'GAR2', name: 'Pond', status: 'closed', is_public: false, parent_project: '@projects/p1' },
      },
    },
    memberships: { r1: { fields: { project: '@projects/p1', user: 'u1', roles: ['manager', 'developer'] } } },
    milestones: {
      m1: {
        fields: {
          project: '@projects/p1',
          name: 'Spring',
          description: 'All seeds',
          status: 'open',
          start_on: '2024-03-01',
          due_on: '2024-05-31',
          sharing: 'descendants',
        },
      },
    },
    components: { b1: { fields: { project: '@projects/p1', name: 'Beds', owner: 'u8' } } },
    issues: {
      i1: {
        fields: {
          key: 'GAR-1',
          title: 'Dig the beds',
          body: '<p>Deep.</p>',
          type: 'task',
          status: 'in_progress',
          priority: 'urgent',
          project: '@projects/p1',
          milestone: '@milestones/m1',
          component: '@components/b1',
          reporter: 'u1',
          assignee: 'u2',
          watchers: ['u3'],
          labels: ['soil', 'spade'],
          is_private: false,
          progress_percent: 40,
          estimate_hours: 7.5,
          start_on: '2024-03-02',
          due_on: '2024-03-09',
          blocks: ['@issues/i2'],
          precedes: ['@issues/i2'],
          copied_to: ['@issues/i2'],
        },
        created_at: '2024-03-01T08:00:00.000Z',
      },
      i2: {
        fields: {
          key: 'GAR-2',
          title: 'Sow',
          type: 'feature',
          status: 'new',
          priority: 'low',
          project: '@projects/p1',
          is_private: true,
          closed_at: '2024-04-01T10:00:00.000Z',
          parent_issue: '@issues/i1',
          relates_to: ['@issues/i1'],
          duplicates: ['@issues/i1'],
        },
        created_at: '2024-03-05T00:00:00.000Z',
      },
    },
    comments: {
      k1: {
        fields: { issue: '@issues/i1', author: 'u3', body: '<p>Half done</p>', is_private: true },
        created_at: '2024-03-03T08:00:00.000Z',
      },
    },
    time_entries: {
      z1: {
        fields: {
          project: '@projects/p1',
          issue: '@issues/i1',
          user: 'u2',
          hours: 2.25,
          spent_on: '2024-03-03',
          description: 'With the big spade',
          activity: 'Digging',
        },
      },
    },
    wiki_pages: {
      w1: { fields: { project: '@projects/p1', title: 'Tools', body: '<ul><li>spade</li></ul>', author: 'u1' } },
      w2: {
        fields: { project: '@projects/p1', title: 'Spades', body: '<p>Sharp</p>', parent_page: '@wiki_pages/w1' },
      },
    },
  },
}
