/** Mark is Portcullis' sign, the same drawing as the page's icon. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" className="mark-ground" />
      <path d="M8 23V14a8 8 0 0 1 16 0v9M12 10v14M16 7v18M20 10v14M8 16h16M8 21h16" className="mark-lines" />
    </svg>
  )
}
