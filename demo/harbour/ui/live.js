// Keeps the imports and messages on the page up to date. Without it the page shows them as they were when it was loaded.
const everyMs = 2000
const region = document.getElementById('live')
const news = document.getElementById('news')
let shown = ''

const statuses = () => new Map([...region.querySelectorAll('[data-news]')].map((card) => [card.id, card.dataset.news]))

function show(text) {
  const before = statuses()
  const opened = [...region.querySelectorAll('details[open]')].map(({ id }) => id)
  const focused = region.contains(document.activeElement) ? document.activeElement.id : ''
  region.innerHTML = text
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
  const changes = [...statuses()].filter(([id, said]) => before.get(id) !== said).map(([, said]) => said)
  // Read out by screen readers, and only what is new.
  if (changes.length > 0) news.textContent = changes.join('. ')
}

async function refresh() {
  try {
    if (document.visibilityState === 'visible') {
      const answer = await fetch('/imports/live', { cache: 'no-store', signal: AbortSignal.timeout(15_000) })
      const text = await answer.text()
      if (answer.ok && text !== shown) {
        shown = text
        show(text)
      }
    }
  } catch {
    // Harbour itself is being restarted, or gone; what is shown stays until it answers again.
  }
  setTimeout(refresh, everyMs)
}

setTimeout(refresh, everyMs)
