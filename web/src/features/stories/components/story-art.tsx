import type { ReactNode } from 'react';
import type { Testimonial } from '@/content/testimonials';

const goods: Record<Testimonial['image'], ReactNode> = {
  sweets: (
    <>
      <path d="M70 178h100l-12 34H82z" />
      <circle cx="94" cy="160" r="19" />
      <circle cx="132" cy="154" r="22" />
      <circle cx="112" cy="128" r="19" />
      <path d="M112 109v-10M104 104l-6-7M120 104l6-7" />
    </>
  ),
  homecare: (
    <>
      <path d="M92 120h46v92H92zM104 120v-20h22v20M104 100h-14v-12h48v12M138 92h16" />
      <path d="M92 150h46M92 180h46" />
    </>
  ),
  wellness: (
    <>
      <path d="M120 212c-40-22-52-58-36-92 24 6 36 30 36 58 0-28 12-52 36-58 16 34 4 70-36 92z" />
      <path d="M120 178c-8-34-2-62 0-84 2 22 8 50 0 84z" />
    </>
  ),
  fashion: (
    <>
      <path d="M88 100l32 14 32-14 26 26-18 18-8-6v74H88v-74l-8 6-18-18z" />
      <circle cx="106" cy="168" r="5" />
      <circle cx="134" cy="168" r="5" />
      <circle cx="120" cy="150" r="5" />
      <circle cx="120" cy="186" r="5" />
    </>
  ),
  tea: (
    <>
      <path d="M74 140h84v30c0 24-18 42-42 42s-42-18-42-42zM158 148h14c10 0 14 8 14 16 0 12-10 18-28 18" />
      <path d="M98 126c-6-10 6-14 0-26M118 126c-6-10 6-14 0-26M138 126c-6-10 6-14 0-26" />
    </>
  ),
};

/** A drawing of the line of business under a shop's awning; decorative. */
export function StoryArt({ image }: { image: Testimonial['image'] }) {
  return (
    <svg
      className="story-art"
      viewBox="0 0 240 240"
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth="5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M30 66 46 26h148l16 40" />
      <path d="M30 66c0 22 30 22 30 0 0 22 30 22 30 0 0 22 30 22 30 0 0 22 30 22 30 0 0 22 30 22 30 0 0 22 30 22 30 0" />
      {goods[image]}
    </svg>
  );
}
