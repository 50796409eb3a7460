/** Says beside the button what came of saving, where a toast alone would not do. */
export function Saved({ outcome }: { outcome: string }) {
  return (
    <p role="status" className="text-muted">
      {outcome}
    </p>
  );
}
