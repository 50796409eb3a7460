import { useEffect, useRef, useState } from 'react';
import { explain } from '@/lib/api/errors';
import { continueDryRun, tryOperation, type JobDryRun, type JobDryRunRequest } from '../api/jobs';

interface DryRun {
  /** What is known so far. */
  found: JobDryRun | undefined;
  /** Why nothing is known. */
  problem: string;
  /** Resolves once the jobs are fixed. */
  fixed: () => Promise<JobDryRun>;
}

/** Fixes the set of jobs when the dialog opens, and dry-runs each of them until the dialog closes. */
export function useDryRun(request: JobDryRunRequest | undefined): DryRun {
  const [found, setFound] = useState<JobDryRun>();
  const [problem, setProblem] = useState('');
  const first = useRef<Promise<JobDryRun>>(undefined);
  const [asked] = useState(request);
  useEffect(() => {
    if (!asked) return undefined;
    let open = true;
    first.current ??= tryOperation(asked);
    const look = async () => {
      try {
        let state = await (first.current as Promise<JobDryRun>);
        while (open) {
          setFound(state);
          if (state.left === 0) return;
          state = await continueDryRun(state.id);
        }
      } catch (error) {
        if (open) setProblem(explain(error));
      }
    };
    void look();
    return () => {
      open = false;
    };
  }, [asked]);
  return { found, problem, fixed: () => first.current ?? Promise.reject(new Error('nothing was asked')) };
}
