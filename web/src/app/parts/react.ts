/** React as a part of the start, evaluated in a task of its own. */
export { createRoot, hydrateRoot } from 'react-dom/client';
