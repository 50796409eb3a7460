/** Reports the outcome of saving next to the button, for cases that need more than a toast. */
export function Saved({ outcome }: { outcome: string }) {
  return (
    <p role="status" className="text-muted">
      {outcome}
    </p>
  );
}
