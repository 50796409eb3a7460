/** The router as a part of the start, evaluated in a task of its own. */
export { createBrowserRouter, RouterProvider } from 'react-router';
