// Line icons, drawn here so that nothing is fetched. They are decoration: the
// words beside them carry the meaning.
import type { ReactNode } from 'react'

export type Icon = (p: { size?: number }) => ReactNode

const draw = (path: ReactNode) =>
  function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg className="icon" width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" focusable="false">
        {path}
      </svg>
    )
  }

export const CheckIcon = draw(<path d="M3 8.5 6.5 12 13 4.5" />)
export const StopIcon = draw(<path d="M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3zM5 8h6" />)
export const EyeIcon = draw(<><path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" /><circle cx="8" cy="8" r="1.9" /></>)
export const EyeOffIcon = draw(<path d="M2 2l12 12M6.3 3.8A6 6 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.5a11 11 0 0 1-1.8 2.2M4.2 4.9A11 11 0 0 0 1.5 8S4 12.5 8 12.5a6 6 0 0 0 3.2-.9" />)
export const HoldIcon = draw(<><circle cx="8" cy="8" r="6" /><path d="M6.4 5.8v4.4M9.6 5.8v4.4" /></>)
export const FlagIcon = draw(<path d="M3.5 14V2.5M3.5 3c3-1.6 5.5 1.6 9 0v6c-3.5 1.6-6-1.6-9 0" />)
export const MaskIcon = draw(<path d="M8 3v10M3.7 5.5l8.6 5M12.3 5.5l-8.6 5" />)
export const PauseIcon = draw(<path d="M5.5 3.5v9M10.5 3.5v9" />)
export const PlayIcon = draw(<path d="M5 3.2v9.6L12.5 8z" />)
export const SearchIcon = draw(<><circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3.5 3.5" /></>)
export const CloseIcon = draw(<path d="m4 4 8 8M12 4l-8 8" />)
export const FilterIcon = draw(<path d="M2 4h12M4.5 8h7M6.5 12h3" />)
export const FeedIcon = draw(<path d="M2 8h3l2-5 2.5 10L11.5 8H14" />)
export const ModelsIcon = draw(<><circle cx="4" cy="4" r="1.7" /><circle cx="4" cy="12" r="1.7" /><circle cx="12" cy="8" r="1.7" /><path d="m5.6 4.8 4.8 2.4M5.6 11.2l4.8-2.4" /></>)
export const KeysIcon = draw(<><rect x="1.5" y="4" width="13" height="8.5" rx="1.5" /><path d="M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5 10h6" /></>)
export const SunIcon = draw(<><circle cx="8" cy="8" r="2.8" /><path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" /></>)
export const MoonIcon = draw(<path d="M13.5 9.3A5.8 5.8 0 0 1 6.7 2.5 5.8 5.8 0 1 0 13.5 9.3Z" />)
export const ScreenIcon = draw(<><rect x="2" y="2.8" width="12" height="8.4" rx="1.2" /><path d="M6 13.8h4M8 11.2v2.6" /></>)
export const CopyIcon = draw(<><rect x="5.5" y="5.5" width="8" height="8" rx="1.5" /><path d="M10.5 3.5v-.3a.7.7 0 0 0-.7-.7H3.2a.7.7 0 0 0-.7.7v6.6c0 .4.3.7.7.7h.3" /></>)
export const LeaveIcon = draw(<path d="M6.5 2.5H3.7a1.2 1.2 0 0 0-1.2 1.2v8.6c0 .7.5 1.2 1.2 1.2h2.8M10 11l3-3-3-3M13 8H6" />)
export const WarnIcon = draw(<path d="M8 2.2 14.3 13H1.7zM8 6.5v3M8 11.3h.01" />)
export const ClockIcon = draw(<><circle cx="8" cy="8" r="6" /><path d="M8 4.8V8l2.2 1.6" /></>)
export const UpIcon = draw(<path d="M8 13V3.5M4 7l4-4 4 4" />)
export const SendIcon = draw(<path d="M14 2 7 9M14 2 9.7 14 7 9 2 6.3z" />)
export const MicIcon = draw(<><rect x="5.8" y="1.8" width="4.4" height="7.4" rx="2.2" /><path d="M3.2 7.6a4.8 4.8 0 0 0 9.600 0M8 12.400v1.800" /></>)
export const DownIcon = draw(<path d="M8 3v9.5M4 9l4 4 4-4" />)
export const MenuIcon = draw(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />)
export const ChevronIcon = draw(<path d="m5 6.5 3 3 3-3" />)
export const PlayerIcon = draw(<><circle cx="8" cy="5.3" r="2.8" /><path d="M2.8 13.8c.6-3 2.6-4.4 5.2-4.4s4.6 1.4 5.2 4.4" /></>)
export const ChartIcon = draw(<path d="M2.5 2.5v11h11M5.5 10.5v-3M8.5 10.5v-6M11.5 10.5v-4.5" />)
export const ReportIcon = draw(<path d="M4 1.8h5.5L12.5 5v9.2H4zM9.2 2v3.2h3.2M6 8.5h4.5M6 11h4.5" />)
export const HealthIcon = draw(<path d="M8 13.500 2.800 8.400a3.100 3.100 0 0 1 4.400-4.400l.8.8.8-.8a3.100 3.100 0 0 1 4.400 4.400z" />)
export const AuditIcon = draw(<path d="M8 1.8 13 3.6v4c0 3-2 5.3-5 6.6-3-1.3-5-3.6-5-6.6v-4zM5.8 8l1.6 1.6 3-3.2" />)
export const DownloadIcon = draw(<path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11" />)
export const TableIcon = draw(<><rect x="2" y="2.8" width="12" height="10.4" rx="1.2" /><path d="M2 6.3h12M2 9.8h12M7 6.3v6.9" /></>)
export const GearIcon = draw(<><circle cx="8" cy="8" r="2.2" /><path d="M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4" /></>)
export const ReviewIcon = draw(<><rect x="2" y="2.5" width="12" height="11" rx="1.5" /><path d="m5 8 2.200 2.200L11.200 6" /></>)
export const AppealIcon = draw(<path d="M8 2v11.5M4.500 13.500h7M3 5l5-1.500L13 5M3 5 1.500 9h3zM13 5l-1.500 4h3z" />)
export const VaultIcon = draw(<><rect x="2" y="2.5" width="12" height="10.500" rx="1.500" /><circle cx="8" cy="7.700" r="2.300" /><path d="M8 5.400v-1M10.300 7.700h1M8 10v1M5.700 7.700h-1M4 13v1.200M12 13v1.200" /></>)
export const PolicyIcon = draw(<path d="M2 4h5M10 4h4M2 8h8M13 8h1M2 12h2M7 12h7M8.500 2.500v3M11.500 6.500v3M5.500 10.500v3" />)
export const ListIcon = draw(<path d="M5.500 4H14M5.500 8H14M5.500 12H14M2.200 4h.01M2.200 8h.01M2.200 12h.01" />)
export const CoinsIcon = draw(<><ellipse cx="6" cy="4.500" rx="4" ry="1.900" /><path d="M2 4.500v3.300c0 1 1.800 1.900 4 1.900M10 4.500v2M2 7.800v3.200c0 1 1.800 1.900 4 1.900" /><ellipse cx="10.500" cy="9" rx="3.500" ry="1.700" /><path d="M7 9v3.200c0 1 1.600 1.700 3.500 1.700s3.500-.7 3.500-1.700V9" /></>)
export const PictureIcon = draw(<><rect x="2" y="2.5" width="12" height="11" rx="1.5" /><circle cx="5.6" cy="6" r="1.2" /><path d="m2.5 12 3.7-3.6 2.3 2.1 2.2-2.4 3 3.2" /></>)
