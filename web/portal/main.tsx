import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { drawInLanguage, language } from '../texts/index.ts'
import '../ui/styles.css'
import { Portal } from './portal.tsx'

const place = document.getElementById('portal')
if (!place) throw new Error('index.html has no #portal')
const root = createRoot(place)
const client = new QueryClient()
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
