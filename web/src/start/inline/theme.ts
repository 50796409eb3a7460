import { readTheme, showTheme } from '@/lib/theme';

// The colours are right before anything is painted.
showTheme(readTheme());
