// Stands where content will be, so that nothing moves when it arrives.

export function Skeleton({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, position) => (
        <span key={position} />
      ))}
    </div>
  );
}
