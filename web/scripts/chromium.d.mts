/** The program of the browser: the one that CHROMIUM names, the machine's own, or else one that is installed as a package. */
export function chromiumPath(): string;
