import '@/styles/main.scss';
import '@/styles/language.scss';
import 'react-dom/client';

// React starts with this file; the site starts in a separate task, so that a slow phone can respond in between.
setTimeout(() => void import('./start'));
