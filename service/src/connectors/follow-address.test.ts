import { describe, expect, test } from 'vitest'
import { followGhost } from './blog/ghost/follow-address.ts'
import { followWordpress } from './blog/wordpress/follow-address.ts'
import type { Lead } from './contract/contract.ts'
import { followTryton } from './crm/tryton/follow-address.ts'
import { followFernhill } from './helpdesk/fernhill/follow-address.ts'
import { followRt } from './helpdesk/rt/follow-address.ts'
import { followRedmine } from './project/redmine/link-references.ts'

type Expected = [address: string, to: readonly string[] | null, anchor?: string]

/** The targets of a lead: `entity/id`, or the web address to look up. */
const namesOf = (lead: Lead | null) =>
  lead?.to.map((target) => ('entity' in target ? `${target.entity}/${target.sourceId}` : target.sourceUrl))

function expectLead(lead: Lead | null, [address, to, anchor]: Expected): void {
  expect(namesOf(lead) ?? null, address).toEqual(to)
  expect(lead?.anchor, address).toBe(anchor)
  if (lead) expect(lead.url, address).toMatch(/^https?:\/\//)
}

describe('WordPress', () => {
  const site = 'https://blog.example'
  const post = 'https://blog.example/2024/05/hello/'
  const twice = (path: string) => [`${site}${path}`, `${site}/index.php${path}`]
  test.each<Expected>([
    [`${site}/2024/05/other/`, twice('/2024/05/other/')],
    [`${site}/2024/05/other`, twice('/2024/05/other')],
    ['HTTP://BLOG.example:80/2024/05/other/', twice('/2024/05/other/')],
    ['//blog.example/2024/05/other/', twice('/2024/05/other/')],
    ['/2024/05/other/', twice('/2024/05/other/')],
    ['../other/', twice('/2024/05/other/')],
    ['https://blog.example/index.php/2024/05/other/', twice('/2024/05/other/')],
    ['/2024/05/other/?utm_source=mail&x=1', twice('/2024/05/other/')],
    ['/2024/05/other/#part-2', twice('/2024/05/other/'), 'part-2'],
    ['/2024/05/other/#respond', twice('/2024/05/other/')],
    ['/2024/05/other/#comment-12', ['comments/12', ...twice('/2024/05/other/')]],
    ['/2024/05/other/comment-page-2/#comment-12', ['comments/12', ...twice('/2024/05/other/')]],
    ['?p=12', twice('/2024/05/hello/')],
    ['/?p=12', ['posts/12', 'pages/12', 'media/12']],
    ['https://blog.example?p=12#comment-3', ['comments/3', 'posts/12', 'pages/12', 'media/12']],
    ['/index.php?p=12', ['posts/12', 'pages/12', 'media/12']],
    ['/?page_id=7', ['pages/7', 'posts/7', 'media/7']],
    ['/?attachment_id=9', ['media/9', 'posts/9', 'pages/9']],
    ['/?cat=3', ['categories/3']],
    ['/?tag=caf%C3%A9', [`${site}/?tag=caf%C3%A9`, `${site}/tag/caf%C3%A9/`]],
    ['/?p=drop%20table', []],
    ['/wp-json/wp/v2/pages/4', ['pages/4']],
    ['/?rest_route=/wp/v2/posts/5', ['posts/5']],
    ['/wp-content/uploads/2024/05/a-300x200.jpg', []],
    ['/wp-admin/post.php?post=5', []],
    [site, []],
    ['https://shop.example/2024/05/other/', null],
    ['mailto:a@blog.example', null],
    ['javascript:alert(1)', null],
    ['https://[', null],
  ])('%s', (...expected) => {
    expectLead(followWordpress(expected[0], site, post), expected)
  })

  test('addresses with and without www are one site, and are looked up in the form of its pages', () => {
    const lead = followWordpress('http://www.blog.example/a/', site, 'https://www.blog.example/b/')
    expect(namesOf(lead)).toContain('https://www.blog.example/a/')
    expect(namesOf(lead)).toContain('https://blog.example/a/')
  })

  test("another folder of the same host is another site, unless the site's pages are there", () => {
    expect(followWordpress('/shop/', 'https://x.example/blog', 'https://x.example/blog/a/')).toBeNull()
    expect(namesOf(followWordpress('/news/', 'https://x.example/wp', 'https://x.example/a/'))).toContain(
      'https://x.example/news/',
    )
  })
})

describe('Ghost', () => {
  const site = 'https://ghost.example/sub'
  const from = `${site}/hello/`
  const uuid = '0c2d9c1e-0d4f-4ab5-8c43-9f6f3c0d8f11'
  const comment = '6123456789abcdef01234567'
  test.each<Expected>([
    ['https://ghost.example/sub/tiles/', [`${site}/tiles/`]],
    ['__GHOST_URL__/tiles/', [`${site}/tiles/`]],
    ['../tiles', [`${site}/tiles`]],
    ['//GHOST.example/sub/tiles/?ref=mail#more', [`${site}/tiles/`], 'more'],
    ['/sub/tiles/amp/', [`${site}/tiles/`]],
    ['/sub/tag/news/', [`${site}/tag/news/`]],
    [`/sub/p/${uuid}/`, [`${site}/p/${uuid}/`]],
    [`/sub/tiles/#ghost-comments-${comment}`, [`comments/${comment}`, `${site}/tiles/`]],
    ['/sub/tiles/#ghost-comments', [`${site}/tiles/`]],
    ['/sub/content/images/size/w600/2024/05/a.png', [`media/${site}/content/images/2024/05/a.png`]],
    ['__GHOST_URL__/content/files/2024/05/a.pdf', [`media/${site}/content/files/2024/05/a.pdf`]],
    ['/sub/content/media/2024/05/a.mp4', [`media/${site}/content/media/2024/05/a.mp4`]],
    ['/sub/', []],
    ['/sub/members/', [`${site}/members/`]],
    ['/sub/ghost/#/posts', [], '/posts'],
    ['/other/', null],
    ['https://elsewhere.example/tiles/', null],
  ])('%s', (...expected) => {
    expectLead(followGhost(expected[0], site, from), expected)
  })
})

describe('Request Tracker', () => {
  const site = 'https://rt.example/rt'
  test.each<Expected>([
    [`${site}/Ticket/Display.html?id=2`, ['tickets/2']],
    [`${site}/Ticket/Display.html?id=2#txn-5`, ['comments/5', 'tickets/2']],
    ['http://RT.example/rt/Ticket/Display.html?id=2&results=abc', ['tickets/2']],
    ['/rt/Ticket/History.html?id=2#txn-5', ['comments/5', 'tickets/2']],
    ['/rt//Ticket/Display.html?id=02', ['tickets/2']],
    ['Ticket/Update.html?Action=Respond&id=2', ['tickets/2']],
    ['/rt/SelfService/Display.html?id=2', ['tickets/2']],
    ['/rt/m/ticket/show?id=2', ['tickets/2']],
    ['/rt/Ticket/Attachment/5/7/name.txt', ['attachments/5-7']],
    ['/rt/SelfService/Attachment/5/7', ['attachments/5-7']],
    ['/rt/Ticket/ShowEmailRecord.html?id=2&Transaction=5&Attachment=7', ['comments/5', 'tickets/2']],
    ['/rt/REST/2.0/ticket/2', ['tickets/2']],
    ['/rt/REST/1.0/ticket/2/show', ['tickets/2']],
    ['/rt/REST/2.0/transaction/5', ['comments/5']],
    ['/rt/User/Summary.html?id=14', ['contacts/14']],
    ['/rt/Admin/Queues/Modify.html?id=3', ['groups/3']],
    ['fsck.com-rt://example.org/ticket/2', ['tickets/2']],
    ['#txn-5', ['comments/5']],
    ['/rt/Search/Results.html?Query=id%3E1', []],
    ['/rt/Ticket/Display.html?id=two', []],
    ['/Ticket/Display.html?id=2', null],
    ['https://elsewhere.example/rt/Ticket/Display.html?id=2', null],
  ])('%s', (...expected) => {
    expectLead(followRt(expected[0], site, null), expected)
  })
})

describe('Redmine', () => {
  const site = 'https://redmine.example/pm'
  const from = `${site}/issues/3`
  test.each<Expected>([
    [`${site}/issues/12`, ['issues/12']],
    ['http://Redmine.example/pm/issues/12.pdf?tab=history', ['issues/12']],
    ['/pm/issues/12/', ['issues/12']],
    ['12', ['issues/12']],
    ['/pm/issues/12/edit', ['issues/12']],
    ['/pm/issues/12#note-3', [`${site}/issues/12#note-3`, 'issues/12']],
    ['#note-3', [`${site}/issues/3#note-3`, 'issues/3']],
    ['/pm/issues/12#change-456', ['comments/12-456', 'issues/12']],
    ['/pm/attachments/5', ['attachments/5']],
    ['/pm/attachments/download/5/a%20b.pdf', ['attachments/5']],
    ['/pm/attachments/thumbnail/5/200', ['attachments/5']],
    ['/pm/projects/7/wiki/release_notes', ['wiki_pages/7/Release_notes']],
    ['/pm/projects/garden/wiki/Release%20notes#Old', [`${site}/projects/garden/wiki/Release_notes`], 'Old'],
    ['/pm/projects/garden/wiki', [`${site}/projects/garden/wiki/Wiki`]],
    ['/pm/projects/garden', [`${site}/projects/garden`]],
    ['/pm/projects/7', ['projects/7']],
    ['/pm/versions/4', ['milestones/4']],
    ['/pm/users/4', ['contacts/4']],
    ['/pm/issues?query_id=1', []],
    ['/pm/projects/garden/wiki/%E0%A4%A', []],
    ['/pm/news/2', []],
    ['/issues/12', null],
    ['https://elsewhere.example/pm/issues/12', null],
  ])('%s', (...expected) => {
    expectLead(followRedmine(expected[0], site, from, 'project'), expected)
  })

  test('issues are tickets in a help desk', () => {
    expect(namesOf(followRedmine('/pm/issues/12', site, from, 'helpdesk'))).toEqual(['tickets/12'])
    expect(namesOf(followRedmine('/pm/projects/7', site, from, 'helpdesk'))).toEqual(['groups/7'])
  })
})

describe('Tryton', () => {
  const place = { origin: 'https://tryton.example', database: 'crm' }
  test.each<Expected>([
    ['https://tryton.example/#crm/model/party.party/5', ['accounts/5', 'contacts/5']],
    ['http://TRYTON.example/#crm/model/party.party/5;name="Parties"', ['accounts/5', 'contacts/5']],
    ['https://tryton.example/#crm/model/sale.opportunity/8?views=%5B%5D', ['deals/8']],
    ['tryton://tryton.example:8000/crm/model/party.party/5', ['accounts/5', 'contacts/5']],
    ['https://tryton.example/#other/model/party.party/5', []],
    ['https://tryton.example/#crm/model/product.product/5', []],
    ['tryton://elsewhere.example/crm/model/party.party/5', null],
    ['https://elsewhere.example/#crm/model/party.party/5', null],
  ])('%s', (...expected) => {
    expectLead(followTryton(expected[0], place, null), expected)
  })
})

describe('Fernhill Desk', () => {
  const site = 'https://desk.example/'
  test.each<Expected>([
    ['https://desk.example/tickets/1001', ['https://desk.example/tickets/1001']],
    ['http://Desk.example/tickets/1001/?x=1#c', ['https://desk.example/tickets/1001'], 'c'],
    ['/articles/3', ['articles/3']],
    ['/attachments/4', ['attachments/4']],
    ['/api/v1/attachments/4/content', ['attachments/4']],
    ['/api/v1/tickets/9', ['tickets/9']],
    ['/', []],
    ['https://elsewhere.example/tickets/1001', null],
  ])('%s', (...expected) => {
    expectLead(followFernhill(expected[0], site, null), expected)
  })
})
