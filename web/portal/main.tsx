import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { drawInLanguage, language } from '../texts/index.ts'
import '../ui/styles.css'
import { Portal } from './portal.tsx'
import { client } from './query-client.ts'

const place = document.getElementById('portal')
if (!place) throw new Error('index.html has no #portal')
const root = createRoot(place)
drawInLanguage(() => {
  document.documentElement.lang = language
  root.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Portal />
      </QueryClientProvider>
    </StrictMode>,
  )
})
