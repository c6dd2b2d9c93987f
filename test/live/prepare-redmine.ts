import { inDatabase, type Place } from './place.ts'
import { callRedmine } from './redmine-live.ts'

/** Creates accounts for people of the source, and some earlier records. It does nothing the second time. */
export async function prepareRedmine(place: Place): Promise<void> {
  const there = await callRedmine(place, 'GET', '/projects/was-here.json')
  if (there.status === 200) return
  for (const [login, firstname, lastname] of [
    ['ann.stone', 'Ann', 'Stone'],
    ['bob.hadad', 'Bob', 'Hadad'],
    ['amelia', 'Amelia', 'Stone'],
  ]) {
    const mail = login === 'amelia' ? 'amelia@agents.example' : `${login}@customer.example`
    const user = { login, firstname, lastname, mail, generate_password: true }
    await callRedmine(place, 'POST', '/users.json', { user })
  }
  await chooseSettings(place)
  const project = { name: 'Alpha & Söhne', identifier: 'was-here', description: 'Of the same name, but another one.' }
  const { json } = await callRedmine(place, 'POST', '/projects.json', { project })
  const issue = { project_id: json.project.id, subject: 'Same title', description: 'Was here before.' }
  const made = await callRedmine(place, 'POST', '/issues.json', { issue })
  await callRedmine(place, 'PUT', `/issues/${made.json.issue.id}.json`, { issue: { notes: 'And so was this.' } })
}

/** Chooses the settings that the plan advises; the API cannot change them. */
async function chooseSettings(place: Place): Promise<void> {
  await inDatabase(place, async (ask) => {
    for (const [name, value] of [
      ['cross_project_issue_relations', '1'],
      ['cross_project_subtasks', 'system'],
      ['parent_issue_dates', 'independent'],
      ['parent_issue_priority', 'independent'],
      ['parent_issue_done_ratio', 'independent'],
    ]) {
      await ask(`delete from settings where name = $1`, [name])
      await ask(`insert into settings (name, value, updated_on) values ($1, $2, now())`, [name, value])
    }
  })
}
