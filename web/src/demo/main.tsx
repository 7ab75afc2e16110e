import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followTheme } from '../lib/prefs'
import '../styles/base.css'
import '../styles/demo.css'
import { App } from './App'

followTheme()
createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode><App /></StrictMode>)
