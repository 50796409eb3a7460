/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The language of the build. */
  readonly LANGUAGE: string;
}

declare module '*.svg?component' {
  import type { ComponentType, SVGProps } from 'react';

  const SvgIcon: ComponentType<SVGProps<SVGSVGElement>>;
  // eslint-disable-next-line import-x/no-default-export -- the form in which Vite hands out a file's content.
  export default SvgIcon;
}

declare module '*.md' {
  export const meta: Record<string, string>;
  export const headings: { id: string; text: string }[];
  export const html: string;
}
