import { useMutation } from '@tanstack/react-query';
import { Button } from '@/ui/button';
import { explain } from '@/lib/api/errors';
import { saveFile, type NamedFile } from '@/lib/save-file';
import { toast } from '@/lib/toast';

/** Fetches a file of a message and saves it. */
export function FileButton({ name, fetch }: { name: string; fetch: () => Promise<NamedFile> }) {
  const save = useMutation({
    mutationFn: fetch,
    onSuccess: saveFile,
    onError: (error) => toast.error(explain(error)),
  });
  return (
    <Button variant="outline" size="sm" pending={save.isPending} onClick={() => save.mutate()}>
      {name}
    </Button>
  );
}
