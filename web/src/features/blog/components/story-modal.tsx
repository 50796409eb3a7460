import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { CoverArt } from '@/ui/site/cover-art';
import { stories } from '@/content/blog-extras';

/** A story as a full-size picture, with navigation to the previous and the next. */
export function StoryModal({ index, onChange }: { index: number; onChange: (index: number) => void }) {
  const story = stories[index];
  const move = (step: number) => onChange((index + step + stories.length) % stories.length);
  return (
    <Modal
      open={story !== undefined}
      title={story?.title ?? ''}
      onClose={() => onChange(-1)}
      footer={
        <>
          <Button variant="outline" onClick={() => move(-1)}>
            Previous
          </Button>
          <Button onClick={() => move(1)}>Next</Button>
        </>
      }
    >
      <div className="story-full">
        <CoverArt number={index} />
        <p aria-live="polite">{story?.text}</p>
      </div>
    </Modal>
  );
}
