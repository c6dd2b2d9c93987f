import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { language } from '../texts/index.ts'
import '../ui/styles.css'
import { Portal } from './portal.tsx'

document.documentElement.lang = language

const root = document.getElementById('portal')
if (!root) throw new Error('index.html has no #portal')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <Portal />
    </QueryClientProvider>
  </StrictMode>,
)
