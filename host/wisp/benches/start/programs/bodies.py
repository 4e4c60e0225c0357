"""Bodies that attract each other."""

from math import sqrt


def work():
    bodies = [[index * 1.5, index * index * 0.3, 1.0 / (index + 1), 0.01 * index, 0.0, 0.02, 1.0 + index] for index in range(5)]
    pairs = [(left, right) for index, left in enumerate(bodies) for right in bodies[index + 1:]]
    for _ in range(1_000):
        for left, right in pairs:
            x, y, z = left[0] - right[0], left[1] - right[1], left[2] - right[2]
            distance = x * x + y * y + z * z
            force = 0.001 / (distance * sqrt(distance))
            for body, sign in ((left, -right[6]), (right, left[6])):
                body[3] += x * force * sign
                body[4] += y * force * sign
                body[5] += z * force * sign
        for body in bodies:
            body[0] += 0.001 * body[3]
            body[1] += 0.001 * body[4]
            body[2] += 0.001 * body[5]
    return bodies
