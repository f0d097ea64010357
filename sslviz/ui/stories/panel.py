"""The panel of a story on a page: text, question, goal, and the way to the next step."""

import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sslviz.stories.record import Goal, Quiz, Step, Story
from sslviz.ui.page_list import PAGE_BY_NAME
from sslviz.ui.state import page_state, slots
from sslviz.ui.state.slots import StoryPlace
from sslviz.ui.stories.settings import try_settings
from sslviz.ui.stories.steps import apply_step, leave_story, present_step

TEXT_AND_TASK = (3, 2)  # columns


def show_story(page: str) -> bool:
    """The step of the story that is followed, or the way back to it; whether it is on this page."""
    slots.SHOWN_NUMBERS.clear()
    slots.GOAL_PLACE.clear()
    slots.RUN_GOES_ON.clear()
    found = present_step()
    with st.container():  # also if it is empty, so that what follows keeps its place
        if found is None:
            return False
        story, place, step = found
        page_state.set_url_value("story", place.name)
        page_state.set_url_value("step", str(place.step))
        with st.container(border=True, key="story"):
            if step.page != page:
                _show_way_back(story, place, step)
                return False
            if slots.SETTINGS_REFUSED.get():
                st.caption("The page refuses the settings of this step: it shows its own.")
            left, right = st.columns(TEXT_AND_TASK)
            with left:
                _show_text(story, place, step)
                answer = st.empty()  # where there is room: below the task it would be tall
            with right:
                _show_task(place, step, answer)
                _show_buttons(story, place, step.goal)
            return True


def _show_text(story: Story, place: StoryPlace, step: Step) -> None:
    st.caption(f"{without_images(story.title)} · step {place.step} of {len(story.steps)}")
    st.markdown(f"**{without_images(step.title)}.** {without_images(step.text)}")
    if step.look:
        st.markdown(f":material/visibility: **Look:** {without_images(step.look)}")


def _show_task(place: StoryPlace, step: Step, answer: DeltaGenerator) -> None:
    if step.question:
        _show_question(step.question, f"story.answer:{place.name}:{place.step}", answer)
    if step.goal:
        st.markdown(f":material/flag: **Try:** {without_images(step.goal.text)}")
        slots.GOAL_PLACE.set((st.empty(), answer if step.question is None else st.empty()))


def _show_question(question: Quiz, key: str, answer: DeltaGenerator) -> None:
    text = without_images(question.text)
    options = [without_images(option) for option in question.options]
    chosen = st.radio(f":material/quiz: {text}", options, index=None, key=key)
    if chosen is None:
        return
    why = without_images(question.why)
    if options.index(chosen) == question.answer - 1:
        answer.success(f"Right. {why}", icon=":material/check:")
    else:
        answer.warning("Not quite: look again, and try another answer.", icon=":material/replay:")


def show_goal() -> None:
    """After the page has run: whether the number of the step's goal is where it should be."""
    places, found = slots.GOAL_PLACE.get(), present_step()
    if places is None or found is None or found[2].goal is None:
        return
    goal: Goal = found[2].goal
    place, answer = places
    value = number_in(slots.SHOWN_NUMBERS.get().get(goal.number, ""))
    if slots.RUN_GOES_ON.get():
        place.caption("The answer is checked when the run has ended.")
    elif value is None:
        place.caption(f"The page does not show “{without_images(goal.number)}” now.")
    elif goal.is_reached(value):
        answer.success(f"Reached. {without_images(goal.why)}", icon=":material/check:")
    else:
        shown = slots.SHOWN_NUMBERS.get()[goal.number]
        place.caption(f"{without_images(goal.number)} is {shown} now: not there yet.")


def number_in(text: str) -> float | None:
    """The first number of a text such as "99.3%" or "6 of 2,000"; None if there is none."""
    match = re.search(r"([-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)\s*(%?)", text)
    if match is None:
        return None
    value = float(match[1].replace(",", "").replace("−", "-"))
    return value / 100 if match[2] else value


def without_images(text: str) -> str:
    """Markdown of a stranger: an image would make every reader's browser ask a foreign host."""
    return text.replace("![", r"!\[")


def _show_way_back(story: Story, place: StoryPlace, step: Step) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        title = PAGE_BY_NAME[step.page].title
        st.caption(f"{without_images(story.title)}: step {place.step} is on “{title}”.")
        _show_step_button("Back to the story", place, place.step, "menu_book")
        st.button("Leave", key="open.story.leave", type="tertiary", on_click=leave_story)


def _show_buttons(story: Story, place: StoryPlace, goal: Goal | None) -> None:
    last = place.step == len(story.steps)
    with st.container(horizontal=True, vertical_alignment="center"):
        if place.step > 1:
            _show_step_button("Back", place, place.step - 1, "arrow_back")
        if not last:
            _show_step_button("Next", place, place.step + 1, "arrow_forward", primary=True)
        hint = "All settings as the step began."
        _show_step_button("Again", place, place.step, "replay", hint=hint)
        if goal and goal.solution:
            _show_solution_button(goal)
        word = "Done" if last else "Leave"
        st.button(word, key="open.story.leave", type="tertiary", on_click=leave_story)


def _show_solution_button(goal: Goal) -> None:
    st.button(
        "Show me",
        key="open.story.show",
        icon=":material/lightbulb:",
        on_click=try_settings,
        args=(goal.solution,),
        help="Set the controls so that it is reached.",
    )


def _show_step_button(
    word: str,
    place: StoryPlace,
    step: int,
    icon: str,
    *,
    primary: bool = False,
    hint: str | None = None,
) -> None:
    st.button(
        word,
        key=f"open.story.{word.split()[0].lower()}",
        icon=f":material/{icon}:",
        type="primary" if primary else "secondary",
        on_click=apply_step,
        args=(place.name, step),
        help=hint,
    )
