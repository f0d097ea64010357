"""The load test reads large messages without parsing them, and finds the same."""

from random import Random

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider

from soak.messages import LARGEST_PARSED, read_answer
from soak.moves import VALUES_PER_SLIDER, Widget, valid_state


@pytest.mark.parametrize("size", [10, 2 * LARGEST_PARSED])
def test_a_message_is_known_by_kind_hash_and_component_whatever_its_size(size: int) -> None:
    message = ForwardMsg(hash="abc")
    message.metadata.cacheable = True
    message.metadata.delta_path.extend([0, 300, 2])
    component = message.delta.new_element.bidi_component
    component.component_name, component.bytes = "sslviz_live", bytes(size)
    answer = read_answer(message.SerializeToString())
    assert answer[0] == "delta" and answer[2:] == ("abc", True, "sslviz_live", (0, 300, 2))
    assert (answer.message is None) == (size > LARGEST_PARSED)


def test_a_slider_moves_to_five_values_that_it_offers() -> None:
    slider = Slider(id="$$ID-0-k", min=2, max=50, step=3, default=[5])
    random = Random(0)
    states = [valid_state(Widget("slider", slider, ""), random) for _ in range(200)]
    values = {state.double_array_value.data[0] for state in states}
    assert len(values) == VALUES_PER_SLIDER and min(values) == 2 and max(values) == 50
    assert all((value - 2) % 3 == 0 for value in values)
