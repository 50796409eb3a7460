import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { MAX_UPLOAD_BYTES } from '@/lib/upload';

export type SentFile = components['schemas']['RequestFile'];

/** How many files one message can have. */
export const MAX_FILES = 5;

/** A chosen file that the message does not have, with the reason. */
interface RefusedFile {
  id: number;
  name: string;
  why: string;
}

/**
 * The files of a message that is being written. Each file is uploaded when it is chosen. A refused file holds the message back until the
 * person removes it, so that no message goes out without a file that its writer believes is in it.
 */
export function useUploads(upload: (file: File) => Promise<SentFile>) {
  const [files, setFiles] = useState<SentFile[]>([]);
  const [refused, setRefused] = useState<RefusedFile[]>([]);
  const [current, setCurrent] = useState('');
  const [held, setHeld] = useState(false);
  const refuse = ({ name }: File, why: string) =>
    setRefused((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, name, why }]);
  const sending = useMutation({
    mutationFn: async (chosen: File[]) => {
      let room = MAX_FILES - files.length;
      for (const file of chosen) {
        if (file.size > MAX_UPLOAD_BYTES) refuse(file, t`It is larger than 5 MB.`);
        else if (room <= 0) refuse(file, t`Add at most five files.`);
        else {
          setCurrent(file.name);
          try {
            const kept = await upload(file);
            setFiles((before) => [...before, kept]);
            room -= 1;
          } catch (error) {
            refuse(file, explain(error));
          }
        }
      }
    },
  });
  const uploading = sending.isPending;
  return {
    files,
    refused,
    uploading,
    /** The name of the file that is being uploaded. */
    current: uploading ? current : '',
    /** Whether the person tried to send a message that has refused files. */
    held: held && refused.length > 0,
    /** Whether the message can be sent. If a file was refused, the field says so from now on. */
    ready: () => {
      setHeld(refused.length > 0);
      return refused.length === 0 && !uploading;
    },
    add: (chosen: File[]) => {
      setHeld(false);
      sending.mutate(chosen);
    },
    remove: (id: string) => setFiles((before) => before.filter((file) => file.id !== id)),
    removeRefused: (id: number) => setRefused((before) => before.filter((file) => file.id !== id)),
    clear: () => setFiles([]),
  };
}
