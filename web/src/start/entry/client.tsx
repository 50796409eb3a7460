import '@/styles/main.scss';
import '@/styles/language.scss';
import 'react-dom/client';

// React has begun with this file; the site begins in a task of its own, so that a slow phone answers in between.
setTimeout(() => void import('./start'));
